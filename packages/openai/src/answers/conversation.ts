// A conversation as a task for a language model, for all interfaces.
import type { ChatMessage, GenerateOptions, Generator, Tool, ToolChoice } from 'ambry';
import type { CountedTask } from './answers.ts';

export interface ConversationRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly Tool[];
  /** `auto` when absent. */
  readonly choice?: ToolChoice;
  readonly options: GenerateOptions;
  /** The number of answers; 1 when absent. */
  readonly n?: number;
  /** The most calls in an answer. */
  readonly maxCalls?: number;
  /** What the chat template may read, such as `enable_thinking`. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Rejects for tools that the model's chat template cannot call, before an answer has begun. */
export async function conversationTask(
  model: Generator,
  request: ConversationRequest,
): Promise<CountedTask> {
  const { messages, options, n = 1, maxCalls, variables = {}, tools = [], choice } = request;
  if (tools.length > 0 && choice !== 'none') {
    await model.toolCallSchema(tools);
  }
  const prompt = {
    messages,
    ...(tools.length > 0 && { tools }),
    ...(choice !== undefined && { toolChoice: choice }),
    ...(Object.keys(variables).length > 0 && { variables }),
  };
  return { prompts: [prompt], options, n, ...(maxCalls !== undefined && { maxCalls }) };
}

/** Whether the template of the model knows of thinking before an answer. */
export function thinks({ chatTemplate }: Generator): boolean {
  return /<think>|\[THINK\]|<\|channel\|?>|<\|START_THINKING\|>/.test(chatTemplate ?? '');
}

// A conversation as a task for a language model, for all interfaces.
import type { ChatMessage, GenerateOptions, Generator, Prompt, Tool } from 'ambry';
import { type ToolChoice, toolPlan } from 'ambry-answers';
import type { GenerationJob } from './generation-job.ts';

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

/** Rejects for tools that the model's chat template cannot call. */
export async function conversationTask(
  model: Generator,
  request: ConversationRequest,
): Promise<GenerationJob['task']> {
  const { messages, options, n = 1, maxCalls, variables, choice } = request;
  const { format: asked, ...others } = options;
  const schema = asked && 'schema' in asked ? asked.schema : undefined;
  const plan = await toolPlan(model, request.tools ?? [], choice, schema);
  const { mode, tools, format = asked } = plan;
  const prompt = {
    messages,
    ...(tools.length > 0 && { tools }),
    ...(variables && Object.keys(variables).length > 0 && { variables }),
  };
  // A form begins with the first token, so nothing can stand before it.
  const thinking = format ? undefined : await renderedForThinking(model, prompt);
  return {
    prompts: [prompt],
    options: { ...others, ...(format && { format }) },
    n,
    tools: mode,
    ...(maxCalls !== undefined && { maxCalls }),
    ...(thinking !== undefined && { thinking: { prompt: thinking } }),
  };
}

type Messages = Extract<Prompt, { readonly messages: unknown }>;

/** What the template makes, if it may begin the thinking of the answer. */
async function renderedForThinking(
  model: Generator,
  { messages, tools, variables }: Messages,
): Promise<string> {
  if (!thinks(model)) {
    return '';
  }
  return model.applyChatTemplate(messages, {
    variables: { ...variables, ...(tools && { tools }) },
  });
}

/** Whether the template of the model knows of thinking before an answer. */
export function thinks({ chatTemplate }: Generator): boolean {
  return /<think>|\[THINK\]/.test(chatTemplate ?? '');
}

// A request to /v1/responses as a task for a language model.
import type { GenerateOptions, Generator, Tool, ToolChoice } from 'ambry';
import type { CountedTask } from '../answers/answers.ts';
import { conversationTask } from '../answers/conversation.ts';
import type { Limits } from '../base/limits.ts';
import { present } from '../base/present.ts';
import { samplingOptions, thinkingVariables } from '../base/sampling.ts';
import { messagesOf } from './input-messages.ts';
import type { InputItem, ResponseRequest } from './response-request.ts';

/** Rejects with an `ApiError` or an `AmbryError` for fields that do not go together. */
export function responseTask(
  request: ResponseRequest,
  items: readonly InputItem[],
  model: Generator,
  limits: Pick<Limits, 'maxTokens'>,
): Promise<CountedTask> {
  const { max_output_tokens: max_tokens, reasoning } = request;
  const { context } = model.info.generator;
  const variables = thinkingVariables({ ...request, reasoning_effort: reasoning?.effort });
  return conversationTask(model, {
    messages: messagesOf(items, request.instructions),
    tools: toolsOf(request),
    choice: choiceOf(request),
    options: {
      ...samplingOptions({ ...request, max_tokens }, context, limits),
      ...formatOf(request),
    },
    variables,
    ...(request.parallel_tool_calls === false && { maxCalls: 1 }),
  });
}

function toolsOf({ tools }: ResponseRequest): readonly Tool[] {
  return (tools ?? []).map(({ name, description, parameters }) => ({
    type: 'function',
    function: present({ name, description, parameters }) as unknown as Tool['function'],
  }));
}

function choiceOf({ tool_choice: choice }: ResponseRequest): ToolChoice {
  return typeof choice === 'object' && choice ? { name: choice.name } : (choice ?? 'auto');
}

function formatOf({ text }: ResponseRequest): Pick<GenerateOptions, 'format'> {
  if (text?.format?.type === 'json_object') {
    return { format: { schema: { type: 'object' } } };
  }
  return text?.format?.type === 'json_schema' ? { format: { schema: text.format.schema } } : {};
}

// A request to /v1/chat/completions as a task for a language model.
import type { ChatMessage, GenerateOptions, Generator, Tool, ToolChoice } from 'ambry';
import type { CountedTask } from '../answers/answers.ts';
import { conversationTask } from '../answers/conversation.ts';
import { ApiError } from '../base/api-error.ts';
import { checkCount, type Limits } from '../base/limits.ts';
import { present } from '../base/present.ts';
import { samplingOptions, thinkingVariables } from '../base/sampling.ts';
import type { ChatRequest, RequestMessage } from './chat-request.ts';

/** Throws an `ApiError` for fields that do not go together. */
export async function chatTask(
  request: ChatRequest,
  model: Generator,
  limits: Limits,
): Promise<CountedTask> {
  const n = request.n ?? 1;
  checkCount('n', n, limits.maxAnswers);
  checkFields(request);
  const max = request.max_completion_tokens ?? request.max_tokens;
  const { context } = model.info.generator;
  return conversationTask(model, {
    messages: request.messages.map(messageOf),
    tools: toolsOf(request),
    choice: choiceOf(request),
    options: {
      ...samplingOptions({ ...request, max_tokens: max }, context, limits),
      ...(request.logprobs && { logprobs: request.top_logprobs ?? 0 }),
      ...formatOf(request),
    },
    n,
    variables: thinkingVariables(request),
    ...(request.parallel_tool_calls === false && { maxCalls: 1 }),
  });
}

function checkFields({ tools, tool_choice: choice, ...request }: ChatRequest): void {
  const usesTools = Boolean(tools?.length) && choice !== 'none';
  if (usesTools && request.logprobs) {
    throw bad('logprobs', 'Answers that may call tools have no logprobs.');
  }
  if (request.top_logprobs && !request.logprobs) {
    throw bad('top_logprobs', 'This field needs logprobs to be true.');
  }
}

/** As chat templates take it. Those know the role `system` and calls with arguments that are objects. */
function messageOf(message: RequestMessage, i: number): ChatMessage {
  const content = textOf(message.content);
  const name = message.name ? { name: message.name } : {};
  if (message.role === 'tool') {
    const { tool_call_id: id } = message;
    return { role: 'tool', content, ...name, ...(id && { tool_call_id: id }) };
  }
  if (message.role !== 'assistant') {
    const role = message.role === 'developer' ? 'system' : message.role;
    return { role, content, ...name };
  }
  const { role, tool_calls: given, reasoning_content: thinking, reasoning } = message;
  const calls = (given ?? []).map((call, j) => callOf(call, `messages[${i}].tool_calls[${j}]`));
  const thought = thinking ?? reasoning;
  return {
    role,
    content,
    ...name,
    ...(thought && { reasoning_content: thought }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

type RequestCall = NonNullable<
  Extract<RequestMessage, { role: 'assistant' }>['tool_calls']
>[number];

function callOf({ id, function: { name, arguments: args } }: RequestCall, path: string) {
  const given = typeof args === 'object' ? args : args?.trim();
  return {
    ...(id && { id }),
    type: 'function',
    function: { name, arguments: parsedArguments(given || {}, `${path}.function.arguments`) },
  };
}

type Content = RequestMessage['content'];

function textOf(content: Content): string {
  if (typeof content === 'string') {
    return content;
  }
  return (content ?? []).map((part) => ('text' in part ? part.text : part.refusal)).join('');
}

/** Throws an `ApiError` at `path`. */
export function parsedArguments(given: string | object, path: string): object {
  if (typeof given === 'object') {
    return given;
  }
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value;
    }
  } catch {}
  throw bad(path, 'Must be a JSON object as a string.');
}

function toolsOf({ tools }: ChatRequest): readonly Tool[] {
  return (tools ?? []).map(({ function: { strict: _, ...rest } }) => ({
    type: 'function',
    function: present(rest) as unknown as Tool['function'],
  }));
}

function choiceOf({ tool_choice: choice }: ChatRequest): ToolChoice {
  if (typeof choice === 'object' && choice) {
    return { name: choice.function.name };
  }
  return choice === 'any' ? 'required' : (choice ?? 'auto');
}

function formatOf({ response_format: format }: ChatRequest): Pick<GenerateOptions, 'format'> {
  if (format?.type === 'json_object') {
    return { format: { schema: format.schema ?? { type: 'object' } } };
  }
  if (format?.type === 'json_schema') {
    return { format: { schema: format.json_schema.schema } };
  }
  return {};
}

function bad(param: string, message: string): ApiError {
  return new ApiError(400, message, { param, code: 'invalid_value' });
}

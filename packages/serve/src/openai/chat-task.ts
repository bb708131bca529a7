// A request to /v1/chat/completions as a task for a language model.
import type { ChatMessage, GenerateOptions, Generator, Tool } from 'ambry';
import { type ToolChoice, toolPlan } from 'ambry-answers';
import { ApiError } from '../service/api-error.ts';
import type { GenerationJob } from '../service/generation-job.ts';
import type { Settings } from '../service/options.ts';
import { checkCount } from '../service/requests.ts';
import type { ChatRequest, RequestMessage } from './chat-request.ts';
import { samplingOptions } from './sampling.ts';

/** Throws an `ApiError` for fields that do not go together. */
export async function chatTask(
  request: ChatRequest,
  model: Generator,
  settings: Settings,
): Promise<GenerationJob['task']> {
  const n = request.n ?? 1;
  checkCount('n', n, settings.maxAnswers);
  checkFields(request);
  const messages = request.messages.map(messageOf);
  const { mode, tools, format } = await toolPlan(model, toolsOf(request), choiceOf(request));
  const max = request.max_completion_tokens ?? request.max_tokens;
  const { context } = model.info.generator;
  return {
    prompts: [tools.length > 0 ? { messages, tools } : { messages }],
    options: {
      ...samplingOptions({ ...request, max_tokens: max }, context, settings),
      ...(request.logprobs && { logprobs: request.top_logprobs ?? 0 }),
      ...(format ? { format } : formatOf(request)),
    },
    n,
    tools: mode,
    ...(request.parallel_tool_calls === false && { maxCalls: 1 }),
  };
}

function checkFields({
  tools,
  tool_choice: choice,
  response_format: format,
  ...request
}: ChatRequest): void {
  const usesTools = Boolean(tools?.length) && choice !== 'none';
  if (usesTools && format && format.type !== 'text') {
    throw bad(
      'response_format',
      'An answer keeps to a format or calls tools. Set tool_choice to none for a format.',
    );
  }
  if (usesTools && request.logprobs) {
    throw bad('logprobs', 'Answers that may call tools have no logprobs.');
  }
  if (typeof request.top_logprobs === 'number' && !request.logprobs) {
    throw bad('top_logprobs', 'This field needs logprobs to be true.');
  }
}

/** As chat templates take it. Those know the role `system` and calls with arguments that are objects. */
function messageOf(message: RequestMessage, i: number): ChatMessage {
  const content = textOf(message.content);
  if (message.role !== 'assistant') {
    return { ...message, role: message.role === 'developer' ? 'system' : message.role, content };
  }
  const { role, name, tool_calls: given } = message;
  const calls = (given ?? []).map((call, j) => {
    const path = `messages[${i}].tool_calls[${j}].function.arguments`;
    const args = parsedArguments(call.function.arguments, path);
    return { ...call, function: { ...call.function, arguments: args } };
  });
  return {
    role,
    content,
    ...(name !== undefined && { name }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function textOf(content: RequestMessage['content']): string {
  if (typeof content === 'string') {
    return content;
  }
  return (content ?? []).map(({ text }) => text).join('');
}

function parsedArguments(text: string, path: string): object {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value;
    }
  } catch {}
  throw bad(path, 'Must be a JSON object as a string.');
}

function toolsOf({ tools }: ChatRequest): readonly Tool[] {
  return (tools ?? []).map(({ function: { strict: _, ...rest } }) => ({
    type: 'function',
    function: rest as Tool['function'],
  }));
}

function choiceOf({ tool_choice: choice }: ChatRequest): ToolChoice {
  return typeof choice === 'object' && choice ? { name: choice.function.name } : (choice ?? 'auto');
}

function formatOf({ response_format: format }: ChatRequest): Pick<GenerateOptions, 'format'> {
  if (format?.type === 'json_object') {
    return { format: { schema: { type: 'object' } } };
  }
  if (format?.type === 'json_schema') {
    return { format: { schema: format.json_schema.schema } };
  }
  return {};
}

function bad(param: string, message: string): ApiError {
  return new ApiError(400, message, { param, code: 'invalid_value' });
}

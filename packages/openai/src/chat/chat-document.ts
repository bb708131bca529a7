// The document of answers of /v1/chat/completions, and its chunks.
import type { GeneratedToken, ToolCall } from 'ambry';
import type { AnswerEvent } from '../answers/answers.ts';
import { type CollectedAnswer, Usage } from '../answers/collect.ts';
import type { ChatRequest } from './chat-request.ts';
import { chatLogprobs } from './logprobs.ts';
import { usageOf } from './usage.ts';

export interface ChatHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export const chatHead = (model: string): ChatHead => ({
  id: `chatcmpl-${crypto.randomUUID()}`,
  created: Math.floor(Date.now() / 1000),
  model,
});

/** `n`: the number of answers to each prompt. */
export function chatDocument(
  answers: readonly CollectedAnswer[],
  request: ChatRequest,
  head: ChatHead,
  n: number,
): object {
  const usage = new Usage(n);
  for (const answer of answers) {
    usage.addWhole(answer);
  }
  const choices = answers.map((answer) => choiceOf(answer, request));
  return { ...head, object: 'chat.completion', choices, usage: usageOf(usage) };
}

function choiceOf(collected: CollectedAnswer, request: ChatRequest) {
  const { answer, generation, tokens, calls, reason } = collected;
  const { text, reasoning } = generation;
  const content = text === '' && calls.length > 0 ? null : text;
  const answered = tokens.filter((token) => token.reasoning === undefined);
  return {
    index: answer,
    message: {
      role: 'assistant',
      content,
      refusal: null,
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
    },
    logprobs: request.logprobs ? chatLogprobs(answered) : null,
    finish_reason: reason,
  };
}

/** The chunks of a streamed answer. */
export async function* chatChunks(
  events: AsyncIterable<AnswerEvent>,
  { logprobs, stream_options: options }: ChatRequest,
  head: ChatHead,
  n: number,
): AsyncGenerator<object, void> {
  const withUsage = Boolean(options?.include_usage);
  const common = { ...head, object: 'chat.completion.chunk', ...(withUsage && { usage: null }) };
  const chunk = (
    index: number,
    delta: object,
    token?: GeneratedToken,
    reason: string | null = null,
  ) => ({
    ...common,
    choices: [
      {
        index,
        delta,
        logprobs: logprobs && token ? chatLogprobs([token]) : null,
        finish_reason: reason,
      },
    ],
  });
  const usage = new Usage(n);
  const begun = new Set<number>();
  for await (const event of events) {
    const { answer } = event;
    if (!begun.has(answer)) {
      yield chunk(answer, { role: 'assistant', content: '' });
    }
    begun.add(answer);
    if (event.kind === 'token') {
      const { token } = event;
      const { text, reasoning } = token;
      usage.count(token);
      if (reasoning) {
        yield chunk(answer, { reasoning_content: reasoning });
      }
      if (text !== '' || (logprobs && reasoning === undefined)) {
        yield chunk(answer, { content: text }, token);
      }
    } else {
      usage.add(event);
      for (const delta of callDeltas(event.calls)) {
        yield chunk(answer, { tool_calls: [delta] });
      }
      yield chunk(answer, {}, undefined, event.reason);
    }
  }
  if (withUsage) {
    yield { ...common, choices: [], usage: usageOf(usage) };
  }
}

function toolCall({ name, arguments: args, id = `call_${crypto.randomUUID()}` }: ToolCall) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

/** Each call comes as its name and then as its arguments. */
function callDeltas(calls: readonly ToolCall[]): object[] {
  return calls.flatMap((call, index) => {
    const { function: whole, ...rest } = toolCall(call);
    return [
      { index, ...rest, function: { name: whole.name, arguments: '' } },
      { index, function: { arguments: whole.arguments } },
    ];
  });
}

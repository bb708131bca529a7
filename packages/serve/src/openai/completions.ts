// POST /v1/completions

import type { GeneratedToken, Generator, Prompt } from 'ambry';
import {
  type AnswerEvent,
  ApiError,
  callerFields,
  checkCount,
  collect,
  completionLogprobs,
  samplingFields,
  samplingOptions,
  type TextOrIds,
  textOrIds,
  textsOrIds,
  Usage,
  usageOf,
} from 'ambry-openai/shared';
import { z } from 'zod';
import { generationEvents } from '../service/generation-job.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { eventStream } from './event-stream.ts';

const completionRequest = z.object({
  ...samplingFields,
  ...callerFields,
  prompt: textOrIds,
  echo: z.boolean().nullish(),
  logprobs: z.int().min(0).max(20).nullish(),
  best_of: z.literal(1).nullish(),
  suffix: z.literal('', { error: 'Text after the answer is not understood' }).nullish(),
});
type CompletionRequest = z.infer<typeof completionRequest>;

export async function completions(c: ApiContext, service: Service): Promise<Response> {
  const { models, metrics, settings } = service;
  const request = await readBody(c, completionRequest);
  const { served, model } = models.ready(request.model, ['generator']);
  const prompts = textsOrIds(request.prompt);
  const n = request.n ?? 1;
  checkCount('prompt', prompts.length, settings.maxInputs);
  checkCount('n', n, settings.maxAnswers);
  const echoes = await echoed(request, prompts, model);
  const task = {
    prompts: prompts as readonly Prompt[],
    options: {
      ...samplingOptions(request, model.info.generator.context, settings),
      ...(typeof request.logprobs === 'number' && { logprobs: request.logprobs }),
    },
    n,
  };
  const head = {
    id: `cmpl-${crypto.randomUUID()}`,
    object: 'text_completion',
    created: Math.floor(Date.now() / 1000),
    model: served.name,
  };
  const events = generationEvents({ served, model, task, metrics }, c.var.signal);
  const echo = (answer: number) => echoes?.[Math.floor(answer / n)] ?? '';
  if (request.stream) {
    return eventStream(c, chunks(events, request, head, echo), service);
  }
  const usage = new Usage(n);
  const choices = (await collect(events)).map((end) => {
    usage.add(end);
    const text = echo(end.answer) + end.generation.text;
    return choice(request, end.answer, text, end.tokens, 0, end.reason);
  });
  return c.json({ ...head, choices, usage: usageOf(usage) });
}

/** The texts of the prompts, if the answers shall begin with them. */
async function echoed(
  { echo, logprobs }: CompletionRequest,
  prompts: readonly TextOrIds[],
  model: Generator,
): Promise<readonly string[] | undefined> {
  if (!echo) {
    return undefined;
  }
  if (typeof logprobs === 'number') {
    const message = 'The tokens of a prompt have no logprobs. Leave out echo or logprobs.';
    throw new ApiError(400, message, { param: 'echo', code: 'invalid_value' });
  }
  return Promise.all(
    prompts.map((prompt) => (typeof prompt === 'string' ? prompt : model.detokenize(prompt))),
  );
}

function choice(
  { logprobs }: CompletionRequest,
  index: number,
  text: string,
  tokens: readonly GeneratedToken[],
  offset: number,
  reason: string | null,
) {
  const probabilities = typeof logprobs === 'number' ? completionLogprobs(tokens, offset) : null;
  return { index, text, logprobs: probabilities, finish_reason: reason };
}

async function* chunks(
  events: AsyncIterable<AnswerEvent>,
  request: CompletionRequest,
  head: object,
  echo: (answer: number) => string,
): AsyncGenerator<object, void> {
  const withUsage = Boolean(request.stream_options?.include_usage);
  const common = { ...head, ...(withUsage && { usage: null }) };
  const usage = new Usage(request.n ?? 1);
  const offsets: number[] = [];
  for await (const event of events) {
    const { answer, kind } = event;
    const isFirst = offsets[answer] === undefined;
    const offset = offsets[answer] ?? 0;
    const tokens = kind === 'token' ? [event.token] : [];
    const added = tokens.map(({ text }) => text).join('');
    const text = (isFirst ? echo(answer) : '') + added;
    const reason = kind === 'end' ? event.reason : null;
    if (kind === 'end') {
      usage.add(event);
    }
    offsets[answer] = offset + added.length;
    yield { ...common, choices: [choice(request, answer, text, tokens, offset, reason)] };
  }
  if (withUsage) {
    yield { ...common, choices: [], usage: usageOf(usage) };
  }
}

// The answer of a language model as Ollama sends it: a JSON document a line, or one document.

import type { Generation, ToolCall } from 'ambry';
import { type AnswerEnd, type AnswerEvent, collect } from 'ambry-openai/shared';
import { ollamaError } from '../service/error-bodies.ts';
import { type GenerationJob, generationEvents } from '../service/generation-job.ts';
import { type ApiContext, streamed } from '../service/requests.ts';
import type { Service } from '../service/service.ts';

/** A part of an answer, or all of it. */
export interface AnswerPart extends Pick<Generation, 'text' | 'reasoning'> {
  readonly calls: readonly ToolCall[];
}

/** Puts a part into a document. */
type MakeBody = (part: AnswerPart) => object;

const nothing: AnswerPart = { text: '', reasoning: '', calls: [] };

export async function answerLines(
  c: ApiContext,
  job: GenerationJob,
  isStream: boolean,
  bodyOf: MakeBody,
  { failure }: Service,
): Promise<Response> {
  const begin = performance.now();
  const events = generationEvents(job, c.var.signal);
  const model = job.served.name;
  if (isStream) {
    const lines = linesOf(events, model, begin, bodyOf);
    const onError = (error: unknown) => line(ollamaError(failure(error)));
    return streamed(c, 'application/x-ndjson', lines, onError);
  }
  const [answer] = await collect(events);
  const whole = answer as AnswerEnd;
  return c.json({
    ...head(model),
    ...bodyOf({ ...whole.generation, calls: whole.calls }),
    ...ending(whole, begin),
  });
}

/** The answer to a request that only loads a model, or gives it back. Models of the server stay open. */
export function loadedAnswer(
  c: ApiContext,
  model: string,
  keepAlive: string | number | null | undefined,
  bodyOf: MakeBody,
): Response {
  const done_reason = keepAlive === 0 || keepAlive === '0' ? 'unload' : 'load';
  return c.json({ ...head(model), ...bodyOf(nothing), done: true, done_reason });
}

async function* linesOf(
  events: AsyncIterable<AnswerEvent>,
  model: string,
  begin: number,
  bodyOf: MakeBody,
): AsyncGenerator<string, void> {
  for await (const event of events) {
    const { text = '', reasoning = '' } = event.kind === 'token' ? event.token : {};
    const calls = event.kind === 'end' ? event.calls : [];
    if (text !== '' || reasoning !== '' || calls.length > 0) {
      yield line({ ...head(model), ...bodyOf({ text, reasoning, calls }), done: false });
    }
    if (event.kind === 'end') {
      yield line({ ...head(model), ...bodyOf(nothing), ...ending(event, begin) });
    }
  }
}

function head(model: string): object {
  return { model, created_at: new Date().toISOString() };
}

/** Times are in nanoseconds. */
function ending({ reason, generation }: AnswerEnd, begin: number): object {
  const { promptIds, ids, prompt, generated } = generation;
  return {
    done: true,
    done_reason: reason === 'length' ? 'length' : 'stop',
    total_duration: Math.round((performance.now() - begin) * 1e6),
    load_duration: 0,
    prompt_eval_count: promptIds.length,
    prompt_eval_duration: Math.round(prompt.seconds * 1e9),
    eval_count: ids.length,
    eval_duration: Math.round(generated.seconds * 1e9),
  };
}

function line(document: object): string {
  return `${JSON.stringify(document)}\n`;
}

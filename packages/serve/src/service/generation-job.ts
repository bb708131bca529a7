// An answer that waits for its turn, and is counted.
import type { Generator } from 'ambry';
import { type AnswerEnd, type AnswerEvent, type AnswerTask, answers } from 'ambry-answers';
import { reasonOf } from './api-error.ts';
import type { Metrics } from './metrics.ts';
import type { ServedModel } from './models.ts';

export interface GenerationJob {
  readonly served: ServedModel;
  readonly model: Generator;
  readonly task: AnswerTask & { readonly n: number };
  readonly metrics: Metrics;
}

/** The events of the answers. The turn ends with the loop. */
export async function* generationEvents(
  { served, model, task, metrics }: GenerationJob,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, void> {
  const end = await served.turns.take(signal);
  let [prompt, generated] = [0, 0];
  try {
    for await (const event of answers(model, task, signal)) {
      // Tokens of answers that are aborted count, too.
      if (event.kind === 'text') {
        generated++;
      } else if (event.answer % task.n === 0) {
        prompt += event.generation.promptIds.length;
      }
      yield event;
    }
  } catch (error) {
    served.noteError(error);
    throw reasonOf(error, signal);
  } finally {
    end();
    metrics.tokens(served.name, prompt, generated);
  }
}

/** The tokens of a request. A prompt counts once, however many answers it gets. */
export class Usage {
  prompt = 0;
  generated = 0;
  readonly #n: number;

  constructor(n: number) {
    this.#n = n;
  }

  add({ answer, generation }: AnswerEnd): void {
    if (answer % this.#n === 0) {
      this.prompt += generation.promptIds.length;
    }
    this.generated += generation.ids.length;
  }
}

/** A whole answer. */
export interface CollectedAnswer extends AnswerEnd {
  readonly tokens: readonly (AnswerEvent & { readonly kind: 'text' })[];
}

/** Waits for all answers. */
export async function collect(
  events: AsyncIterable<AnswerEvent>,
): Promise<readonly CollectedAnswer[]> {
  const tokens: (AnswerEvent & { kind: 'text' })[][] = [];
  const collected: CollectedAnswer[] = [];
  for await (const event of events) {
    tokens[event.answer] ??= [];
    const own = tokens[event.answer] ?? [];
    if (event.kind === 'text') {
      own.push(event);
    } else {
      const text = own.map(({ text }) => text).join('') + event.text;
      collected.push({ ...event, text, tokens: own });
    }
  }
  return collected;
}

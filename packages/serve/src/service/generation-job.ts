// An answer that waits for its turn, and is counted.
import type { ChatMessage, GeneratedToken, Generator } from 'ambry';
import { type AnswerEnd, type AnswerEvent, type AnswerTask, answers } from './answers.ts';
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
  const end = await served.turns.take(signal, { size: sizeOf(task.prompts) });
  let [prompt, generated] = [0, 0];
  try {
    for await (const event of answers(model, task, signal)) {
      // Tokens of answers that are aborted count, too.
      if (event.kind === 'token') {
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

/** The characters of prompts, or their tokens. */
function sizeOf(prompts: AnswerTask['prompts']): number {
  return prompts.reduce((sum, prompt) => {
    const parts = typeof prompt === 'object' && 'messages' in prompt ? prompt.messages : [prompt];
    return parts.reduce<number>((own, part) => own + lengthOf(part), sum);
  }, 0);
}

function lengthOf(part: string | number | readonly number[] | ChatMessage): number {
  if (typeof part === 'object' && 'content' in part) {
    return part.content.length;
  }
  return typeof part === 'number' ? 1 : part.length;
}

/** The tokens of a request. A prompt counts once, however many answers it gets. */
export class Usage {
  prompt = 0;
  generated = 0;
  /** How many of the generated ones belong to the thinking before the answer. */
  thinking = 0;
  readonly #n: number;

  constructor(n: number) {
    this.#n = n;
  }

  count({ reasoning }: GeneratedToken): void {
    this.thinking += reasoning === undefined ? 0 : 1;
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
  readonly tokens: readonly GeneratedToken[];
}

/** Waits for all answers. */
export async function collect(
  events: AsyncIterable<AnswerEvent>,
): Promise<readonly CollectedAnswer[]> {
  const tokens: GeneratedToken[][] = [];
  const collected: CollectedAnswer[] = [];
  for await (const event of events) {
    tokens[event.answer] ??= [];
    const own = tokens[event.answer] ?? [];
    if (event.kind === 'token') {
      own.push(event.token);
    } else {
      collected.push({ ...event, tokens: own });
    }
  }
  return collected;
}

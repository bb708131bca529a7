// Whole answers, and what they took.
import type { GeneratedToken } from 'ambry';
import type { AnswerEnd, AnswerEvent } from './answers.ts';

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

  /** An answer with its tokens. */
  addWhole(answer: CollectedAnswer): void {
    for (const token of answer.tokens) {
      this.count(token);
    }
    this.add(answer);
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

// How long the prompt and the answer of each sequence of a generation take. Only work counts, not the time between two
// calls.

/** What a step says about the answers: how many have begun, and those whose first and last token it made. */
interface StepEvents {
  readonly begun: number;
  readonly answering: readonly number[];
  readonly ended: readonly number[];
}

interface Times {
  readonly begin: number;
  first?: number;
  end?: number;
}

export class GenerationClock {
  #now = 0;
  #hasTokens = false;
  readonly #times: Times[] = [];

  /** Answers that have begun: the first one at once. */
  get begun(): number {
    return Math.max(this.#times.length, 1);
  }

  /** Adds the milliseconds of a step. */
  add(ms: number, { begun, answering, ended }: StepEvents): void {
    this.#now += ms;
    // The pass over what the prompts begin with belongs to each of the first answers.
    const begin = this.#hasTokens ? this.#now : 0;
    while (this.#times.length < begun) {
      this.#times.push({ begin });
    }
    for (const i of answering) {
      this.#set(i, 'first');
    }
    for (const i of ended) {
      this.#set(i, 'end');
    }
    this.#hasTokens ||= answering.length > 0;
  }

  /** Milliseconds until the first token, and from then to the last one so far. */
  timesOf(i: number): { promptMs: number; answerMs: number } {
    const { begin, first, end = this.#now } = this.#times[i] ?? { begin: 0 };
    const answered = first ?? end;
    return { promptMs: answered - begin, answerMs: end - answered };
  }

  #set(i: number, name: 'first' | 'end'): void {
    const times = this.#times[i];
    if (times) {
      times[name] = this.#now;
    }
  }
}

// The few best of many scores, without sorting them all.

/** So many more are kept than asked for, so that most scores are compared with one number only. */
const spare = 64;

/** The `count` best scores under different keys. A key has the best score that was added for it. */
export class BestFew {
  readonly #count: number;
  #scores = new Map<number, number>();
  /** What a score must exceed. */
  #least = Number.NEGATIVE_INFINITY;

  constructor(count: number) {
    this.#count = count;
  }

  add(key: number, score: number): void {
    if (score <= this.#least || score <= (this.#scores.get(key) ?? Number.NEGATIVE_INFINITY)) {
      return;
    }
    this.#scores.set(key, score);
    if (this.#scores.size >= 2 * this.#count + spare) {
      this.#drop();
    }
  }

  /** Keys and scores, the best first. Equal scores are in the order in which their keys were added. */
  bestFirst(): [key: number, score: number][] {
    return [...this.#scores].sort(([, a], [, b]) => b - a).slice(0, this.#count);
  }

  #drop(): void {
    const best = this.bestFirst();
    this.#scores = new Map(best);
    this.#least = best.at(-1)?.[1] ?? this.#least;
  }
}

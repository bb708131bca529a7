// The work queue of a pool: texts in items that get smaller, so that all workers end at about the same time. An item is a
// run of neighbours: its rows lie together in the result.

export interface WorkItem {
  readonly begin: number;
  readonly end: number;
}

/** A worker answers between two items, and what it has done by then can be kept. */
const mostTexts = 128;
/** Fewer texts are not worth a message. */
export const leastTexts = 6;
/** How much of an equal part of the rest an item is. A larger one takes fewer messages, and leaves less to balance. */
const partOfRest = 0.8;
/** A text costs its tokens, which models cut off after some hundreds, and a little for itself. */
const mostLetters = 2000;
const eachLetters = 32;

export class WorkQueue {
  readonly #costs: readonly number[];
  readonly #workers: number;
  #left: number;
  #at = 0;

  constructor(texts: readonly string[], workers: number) {
    this.#costs = texts.map((text) => Math.min(text.length, mostLetters) + eachLetters);
    this.#workers = workers;
    this.#left = this.#costs.reduce((sum, cost) => sum + cost, 0);
  }

  /** The next item; undefined when there is no rest. */
  next(): WorkItem | undefined {
    const begin = this.#at;
    const wanted = (partOfRest * this.#left) / this.#workers;
    for (let taken = 0; this.#at < this.#costs.length; this.#at++) {
      const texts = this.#at - begin;
      if (texts === mostTexts || (texts >= leastTexts && taken >= wanted)) {
        break;
      }
      taken += this.#costs[this.#at] as number;
    }
    const end = this.#at;
    for (let i = begin; i < end; i++) {
      this.#left -= this.#costs[i] as number;
    }
    return end > begin ? { begin, end } : undefined;
  }
}

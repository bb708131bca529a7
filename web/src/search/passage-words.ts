// Finds the words of an index's passages and scores them by BM25 (minisearch). Browsers fetch this file with the
// first search for words.
import MiniSearch from 'minisearch';
import type { Doc } from './types.ts';
import { stemOf } from './word-stem.ts';

export interface WordMatch {
  /** From 0 to 1: the BM25 score divided by the best score. The best score is at least that of a passage that has
   *  every word of the query once. */
  readonly score: number;
  /** The words of the query that were found. */
  readonly terms: readonly string[];
}

/** Passages to index before other tasks of the page may run. */
const chunk = 200;

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

interface Entry {
  readonly id: number;
  readonly text: string;
}

export class PassageWords {
  readonly #index = new MiniSearch<Entry>({
    fields: ['text'],
    tokenize: wordsOf,
    processTerm: stemOf,
    searchOptions: { bm25: { k: 1.2, b: 0.75, d: 0 } },
    autoVacuum: false,
  });
  readonly #ids = new Map<Doc, number>();
  readonly #docs: Doc[] = [];
  #seen: readonly Doc[] = [];
  #last: Promise<void> = Promise.resolve();

  /** Indexes the passages that were added, and removes those that are gone. */
  update(docs: readonly Doc[]): Promise<void> {
    const done = this.#last.then(() => this.#update(docs));
    this.#last = done.catch(() => {});
    return done;
  }

  match(query: string): Map<Doc, WordMatch> {
    const asked = new Map(wordsOf(query).map((word) => [stemOf(word), word]));
    // minisearch multiplies the BM25 score by the number of words found, which ranks worse. This undoes it.
    const found = this.#index
      .search(query)
      .map(({ id, score, queryTerms }) => ({ id, score: score / queryTerms.length, queryTerms }));
    // A common word alone has a low score: it is divided by the score of a passage with all words of the query.
    const whole = [...asked.keys()].reduce((sum, term) => {
      const holders = found.filter(({ queryTerms }) => queryTerms.includes(term)).length;
      return sum + Math.log(1 + (this.#ids.size - holders + 0.5) / (holders + 0.5));
    }, 0);
    const best = found.reduce((most, { score }) => Math.max(most, score), whole);
    return new Map(
      found.map(({ id, score, queryTerms }) => {
        const terms = queryTerms.map((term) => asked.get(term) ?? term);
        return [this.#docs[id] as Doc, { score: score / best, terms }];
      }),
    );
  }

  async #update(docs: readonly Doc[]): Promise<void> {
    if (docs === this.#seen) return;
    const present = new Set(docs);
    const gone = [...this.#ids].filter(([doc]) => !present.has(doc));
    for (const [doc, id] of gone) {
      this.#index.discard(id);
      this.#ids.delete(doc);
      delete this.#docs[id];
    }
    // Before this, the words of discarded passages would still count.
    if (gone.length > 0) await this.#index.vacuum();
    const added: Entry[] = [];
    for (const doc of present) {
      if (this.#ids.has(doc)) continue;
      const id = this.#docs.push(doc) - 1;
      this.#ids.set(doc, id);
      added.push({ id, text: doc.text });
    }
    await this.#index.addAllAsync(added, { chunkSize: chunk });
    this.#seen = docs;
  }
}

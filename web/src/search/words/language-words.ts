// The words of the passages in one language, scored by BM25 (minisearch).
import MiniSearch from 'minisearch';
import type { Yielder } from '../../base/yielder.ts';
import { foldWord } from './fold.ts';
import { stemmerOf } from './languages.ts';
import { passageTerms, queryTerms, type Term } from './terms.ts';

/** How a score grows with the number of a word's places in a passage (k), and falls with the passage's length (b). */
export const bm25 = { k: 1.2, b: 0.75 } as const;

export interface Entry {
  readonly id: number;
  readonly text: string;
}

export interface Found {
  readonly id: number;
  /** The BM25 score. */
  readonly score: number;
  readonly stems: readonly string[];
}

const words = (terms: readonly Term[]): string[] => terms.map(({ word }) => word);
export const passageWords = (text: string): string[] => words(passageTerms(text.normalize('NFKC')));
export const queryWords = (query: string): string[] => words(queryTerms(query.normalize('NFKC')));

export class LanguageWords {
  /** What all forms of a word have in common. */
  readonly stemOf: (word: string) => string;
  readonly #index: MiniSearch<Entry>;

  private constructor(stemOf: (word: string) => string) {
    this.stemOf = stemOf;
    this.#index = new MiniSearch<Entry>({
      fields: ['text'],
      // minisearch takes the number of different terms for the length of a passage, which ranks worse than its number of
      // terms. So each gets its place in the passage, which is removed again.
      tokenize: (text) => passageWords(text).map((term, place) => `${term} ${place}`),
      processTerm: (term) => stemOf(term.slice(0, term.indexOf(' '))),
      searchOptions: {
        bm25: { ...bm25, d: 0 },
        // A word that the query has twice counts once.
        tokenize: (query) => [...new Set(queryWords(query).map(stemOf))],
        processTerm: (stem) => stem,
      },
      autoVacuum: false,
    });
  }

  static async of(code: string): Promise<LanguageWords> {
    const stem = await stemmerOf(code);
    return new LanguageWords((word) => foldWord(stem(word.toLocaleLowerCase(code)), code));
  }

  get size(): number {
    return this.#index.documentCount;
  }

  /** Other tasks of the page run meanwhile. */
  async add(entries: readonly Entry[], yielder: Yielder): Promise<void> {
    for (const entry of entries) {
      await yielder.yieldIfDue();
      this.#index.add(entry);
    }
  }

  async remove(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) {
      return;
    }
    this.#index.discardAll(ids);
    // Before this, the words of discarded passages would still count.
    await this.#index.vacuum();
  }

  /** The passages that have words of the query. */
  find(query: string): Found[] {
    // minisearch multiplies the BM25 score by the number of words found, which ranks worse. This undoes it.
    return this.#index.search(query).map(({ id, score, queryTerms: stems }) => {
      return { id: Number(id), score: score / stems.length, stems };
    });
  }
}

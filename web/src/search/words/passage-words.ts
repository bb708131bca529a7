// Finds the words of an index's passages and scores them by BM25. Browsers fetch this file with the first search for
// words.
import { Yielder } from '../../base/yielder.ts';
import type { Doc } from '../base/types.ts';
import { withAdjacentWords } from './adjacent-words.ts';
import { languagesOf } from './detect-languages.ts';
import { LanguageChoice } from './language-choice.ts';
import { type Entry, LanguageWords, passageWords, queryWords } from './language-words.ts';

export interface WordMatch {
  /** From 0 to 1: the score of the passage's words and pairs of words, divided by the best one of its language. The best
   *  score is at least that of a passage that has every word of the query once. */
  readonly score: number;
  /** The words of the query that were found. */
  readonly terms: readonly string[];
}

interface Language {
  readonly code: string;
  readonly words: LanguageWords;
}

/** Where the words of a passage are. */
interface Place extends Entry {
  readonly words: LanguageWords;
}

export class PassageWords {
  readonly #languagesOf: (docs: readonly Doc[]) => Promise<readonly string[]>;
  #languages: readonly Language[] = [];
  #choice = new LanguageChoice(['en']);
  #places = new Map<Doc, Place>();
  #docs: Doc[] = [];
  #seen: readonly Doc[] = [];
  #last: Promise<void> = Promise.resolve();

  /** `languages` says the languages of the passages. They are detected when it is absent. */
  constructor(languages?: (docs: readonly Doc[]) => Promise<readonly string[]>) {
    this.#languagesOf = languages ?? ((docs) => languagesOf(docs, new Yielder(undefined)));
  }

  /** Indexes the passages that were added, and removes those that are gone. */
  update(docs: readonly Doc[]): Promise<void> {
    return this.#inTurn(() => this.#update(docs));
  }

  /** What the passages have of the query. Other tasks of the page run between its steps. */
  match(query: string): Promise<Map<Doc, WordMatch>> {
    return this.#inTurn(() => this.#match(query, new Yielder(undefined)));
  }

  /** Runs `work` after all earlier work. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  async #match(query: string, yielder: Yielder): Promise<Map<Doc, WordMatch>> {
    const words = queryWords(query);
    const matches = new Map<Doc, WordMatch>();
    const textOf = (id: number) => this.#docs[id]?.text ?? '';
    for (const language of this.#languages) {
      const { found, wordOf, best } = await matchIn(language.words, words, query, textOf, yielder);
      for (const { id, score, stems } of found) {
        const terms = stems.map((stem) => wordOf.get(stem) ?? stem);
        matches.set(this.#docs[id] as Doc, { score: score / best, terms });
      }
    }
    return matches;
  }

  async #update(docs: readonly Doc[]): Promise<void> {
    if (docs === this.#seen) {
      return;
    }
    const yielder = new Yielder(undefined);
    await this.#follow(await this.#languagesOf(docs));
    const present = new Set(docs);
    const gone = [...this.#places].filter(([doc]) => !present.has(doc));
    for (const [doc, { id }] of gone) {
      this.#places.delete(doc);
      delete this.#docs[id];
    }
    const added = [...present].filter((doc) => !this.#places.has(doc));
    const codes = await this.#choice.of(added, yielder);
    const byCode = new Map(this.#languages.map((language) => [language.code, language.words]));
    const places = added.map((doc, i) => this.#place(doc, byCode.get(codes[i] as string)));
    for (const { words } of this.#languages) {
      const removed = gone.filter(([, place]) => place.words === words);
      await words.remove(removed.map(([, { id }]) => id));
      await words.add(
        places.filter((place) => place.words === words),
        yielder,
      );
    }
    this.#seen = docs;
  }

  #place(doc: Doc, found: LanguageWords | undefined): Place {
    const words = found ?? (this.#languages[0] as Language).words;
    const place = { id: this.#docs.push(doc) - 1, text: doc.text, words };
    this.#places.set(doc, place);
    return place;
  }

  /** Starts anew if the passages are in other languages than before. */
  async #follow(codes: readonly string[]): Promise<void> {
    const before = this.#languages.map(({ code }) => code).sort();
    if (`${before}` === `${[...codes].sort()}`) {
      return;
    }
    this.#languages = await Promise.all(
      codes.map(async (code) => ({ code, words: await LanguageWords.of(code) })),
    );
    this.#choice = new LanguageChoice(codes);
    this.#places = new Map();
    this.#docs = [];
  }
}

/** The passages of one language that have words of the query, and the best score that a passage could have. */
async function matchIn(
  index: LanguageWords,
  words: readonly string[],
  query: string,
  textOf: (id: number) => string,
  yielder: Yielder,
) {
  const stems = words.map(index.stemOf);
  const wordOf = new Map(stems.map((stem, i) => [stem, words[i] ?? stem]));
  const termsOf = (id: number) => passageWords(textOf(id)).map(index.stemOf);
  await yielder.yieldIfDue();
  const holding = index.find(query);
  await yielder.yieldIfDue();
  const found = withAdjacentWords(holding, stems, termsOf, index.size);
  await yielder.yieldIfDue();
  // A common word alone has a low score: it is divided by the score of a passage with all words of the query.
  const whole = [...wordOf.keys()].reduce((sum, stem) => {
    const holders = found.filter(({ stems }) => stems.includes(stem)).length;
    return sum + Math.log(1 + (index.size - holders + 0.5) / (holders + 0.5));
  }, 0);
  const best = found.reduce((most, { score }) => Math.max(most, score), whole);
  return { found, wordOf, best };
}

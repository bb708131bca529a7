// Finds the words of an index's passages and scores them by BM25, and passages whose name is the query. Browsers fetch this file
// with the first search for words.
import { Yielder } from '../../base/yielder.ts';
import type { Doc } from '../base/types.ts';
import { withAdjacentWords } from './adjacent-words.ts';
import { languagesOf } from './detect-languages.ts';
import { LanguageChoice } from './language-choice.ts';
import { type Entry, LanguageWords, passageWords } from './language-words.ts';
import { PassageNames } from './passage-names.ts';
import { havePhrases, phrasesOf } from './phrases.ts';
import { corrected, type LanguageQuery, type ReadQuery, readQuery } from './read-query.ts';
import { restoreLanguage, type SavedWords, savedLanguage } from './saved-words.ts';

export interface WordMatch {
  /** From 0 to 1: the score of the passage's words and pairs of words, divided by the best one of its language, and squared: few of
   *  the words say less than their part. The best score is at least that of a passage that has every word of the query once.
   *  From 1 to 2 where the query is a name of the passage. */
  readonly score: number;
  /** The words of the query that were found. */
  readonly terms: readonly string[];
}

interface Language {
  readonly code: string;
  readonly words: LanguageWords;
}

/** What the name counts beside the words, where passages have the query as their name. */
const ofName = 0.8;

/** Where the words of a passage are. */
interface Place extends Entry {
  readonly words: LanguageWords;
}

/** Says of each text whether it is a word. */
type AreWords = (texts: readonly string[]) => Promise<readonly boolean[]>;

export class PassageWords {
  readonly #languagesOf: (docs: readonly Doc[]) => Promise<readonly string[]>;
  readonly #areWords: AreWords | undefined;
  #languages: readonly Language[] = [];
  #choice = new LanguageChoice(['en']);
  #places = new Map<Doc, Place>();
  #docs: Doc[] = [];
  #names: PassageNames | undefined;
  #seen: readonly Doc[] = [];
  #last: Promise<void> = Promise.resolve();

  /** `languages` says the languages of the passages. They are detected when it is absent. `areWords` tells words that a model knows
   *  from those that are perhaps misspelled. */
  constructor(
    languages?: (docs: readonly Doc[]) => Promise<readonly string[]>,
    areWords?: AreWords,
  ) {
    this.#languagesOf = languages ?? ((docs) => languagesOf(docs, new Yielder(undefined)));
    this.#areWords = areWords;
  }

  /** Indexes the passages that were added, and removes those that are gone. */
  update(docs: readonly Doc[]): Promise<void> {
    return this.#inTurn(() => this.#update(docs));
  }

  /** What the passages have of the query. Other tasks of the page run between its steps. */
  match(query: string): Promise<Map<Doc, WordMatch>> {
    return this.#inTurn(() => this.#match(query, new Yielder(undefined)));
  }

  /** The passages that have the phrases in quotation marks of the query. Undefined if it has none, or no passage has them all. */
  withPhrases(query: string): Promise<ReadonlySet<Doc> | undefined> {
    return this.#inTurn(() => this.#withPhrases(phrasesOf(query), new Yielder(undefined)));
  }

  /** The words of the query that no passage has, and for each one of the passages that is spelled nearly so. */
  corrections(query: string): Promise<ReadonlyMap<string, string>> {
    return this.#inTurn(async () => (await this.#read(query)).corrections);
  }

  /** The query with words of the passages in the place of those that no passage has. Undefined if there are none. */
  async didYouMean(query: string): Promise<string | undefined> {
    const corrections = await this.corrections(query);
    return corrections.size === 0 ? undefined : corrected(query, corrections);
  }

  /** The words as an index file has them, for the passages of the last update. */
  save(): Promise<SavedWords> {
    return this.#inTurn(async () => {
      const places = new Map(
        this.#seen.map((doc, place) => [this.#places.get(doc)?.id ?? -1, place]),
      );
      return this.#languages.map(({ code, words }) => savedLanguage(code, words.table, places));
    });
  }

  /** Puts back the words that were saved for these passages. What does not fit them is not taken. */
  restore(saved: SavedWords, docs: readonly Doc[]): Promise<void> {
    return this.#inTurn(() => this.#restore(saved, docs));
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

  /** The model is asked only about words that would be corrected. */
  async #read(query: string): Promise<ReadQuery> {
    const tables = this.#languages.map(({ words }) => words);
    const read = readQuery(query, tables);
    const typed = [...read.corrections.keys()];
    const known = typed.length > 0 ? ((await this.#areWords?.(typed)) ?? []) : [];
    const whole = new Set(typed.filter((_, i) => known[i]));
    return whole.size > 0 ? readQuery(query, tables, whole) : read;
  }

  async #match(query: string, yielder: Yielder): Promise<Map<Doc, WordMatch>> {
    const { queries, corrected: likely } = await this.#read(query);
    const matches = new Map<Doc, WordMatch>();
    const textOf = (id: number) => this.#docs[id]?.text ?? '';
    for (const asked of queries) {
      const { found, best } = await matchIn(asked, textOf, yielder);
      for (const { id, score, words } of found) {
        matches.set(this.#docs[id] as Doc, { score: (score / best) ** 2, terms: words });
      }
    }
    this.#names ??= await PassageNames.of(this.#seen, yielder);
    const typed = this.#names.find(query);
    const named = typed.size > 0 ? typed : this.#names.find(likely);
    for (const [doc, weight] of named) {
      const { score = 0, terms = [] } = matches.get(doc) ?? {};
      matches.set(doc, { score: 1 + ofName * weight + (1 - ofName) * score, terms });
    }
    return matches;
  }

  async #withPhrases(
    phrases: readonly (readonly string[])[],
    yielder: Yielder,
  ): Promise<ReadonlySet<Doc> | undefined> {
    const having = new Set<Doc>();
    for (const { words } of phrases.length > 0 ? this.#languages : []) {
      const stems = phrases.flat().map(words.stemOf);
      for (const id of words.table.idsWithAll(stems)) {
        await yielder.yieldIfDue();
        const doc = this.#docs[id];
        if (doc && havePhrases([doc.text.normalize('NFKC')], phrases)) {
          having.add(doc);
        }
      }
    }
    return having.size > 0 ? having : undefined;
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
      words.table.remove(removed.map(([, { id }]) => id));
      await words.add(
        places.filter((place) => place.words === words),
        yielder,
      );
    }
    this.#names = undefined;
    this.#seen = docs;
  }

  async #restore(saved: SavedWords, docs: readonly Doc[]): Promise<void> {
    const codes = await this.#languagesOf(docs);
    if (`${saved.map(({ code }) => code)}` !== `${codes}`) {
      return;
    }
    await this.#follow(codes);
    const whole = saved.every((one, i) => {
      const { words } = this.#languages[i] as Language;
      return restoreLanguage(one, words, docs.length);
    });
    const owners = docs.map((_, id) =>
      this.#languages.filter(({ words }) => words.table.lengths.has(id)),
    );
    if (!whole || owners.some(({ length }) => length !== 1)) {
      this.#languages = [];
      return;
    }
    this.#docs = [...docs];
    docs.forEach((doc, id) => {
      this.#places.set(doc, { id, text: doc.text, words: (owners[id]?.[0] as Language).words });
    });
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
  { words, wanted, stems }: LanguageQuery,
  textOf: (id: number) => string,
  yielder: Yielder,
) {
  const termsOf = (id: number) => passageWords(textOf(id)).map(words.stemOf);
  await yielder.yieldIfDue();
  const { found: holding, whole } = words.table.find(wanted);
  await yielder.yieldIfDue();
  const found = withAdjacentWords(holding, stems, termsOf, words.table.size);
  await yielder.yieldIfDue();
  // A common word alone has a low score: it is divided by the score of a passage with all words of the query.
  const best = found.reduce((most, { score }) => Math.max(most, score), whole) || 1;
  return { found, best };
}

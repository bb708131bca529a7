// Part of `ambry/terms`: a search for words over passages, without a model.

import { refuseWrong } from '../../base/call.ts';
import { callback, count, list, text, textOrTexts } from '../../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../../base/options.ts';
import { checkDocs } from '../base/check-docs.ts';
import type { Doc } from '../base/types.ts';
import { languageCodes } from './language-codes.ts';
import { PassageWords } from './passage-words.ts';
import { rememberWords } from './read-before.ts';

export interface WordIndexOptions {
  /** The language of the passages as a tag (`de`, `pt-BR`), or several. Detected from all passages when absent. */
  readonly language?: string | readonly string[];
}

export interface WordSearchOptions {
  /** Number of hits; 10 when absent. */
  readonly k?: number;
  /** Searches only passages for which the function returns true. */
  readonly filter?: (doc: Doc) => boolean;
}

export interface WordHit {
  /** The passage's own id, or its position in the index. */
  readonly id: string | number;
  /** From 0 to 1: BM25, divided by the best score that a passage has or could have, and squared. From 1 to 2 where the query is a name of the
   *  passage. */
  readonly score: number;
  /** The words of the query that the passage has. */
  readonly terms: readonly string[];
  readonly text: string;
  readonly doc: Doc;
}

const optionNames: OptionNames<WordIndexOptions> = { language: { ...textOrTexts, each: text } };
const searchNames: OptionNames<WordSearchOptions> = {
  k: count,
  filter: { ...callback, words: 'a function, such as (doc) => doc.source === "a.md"' },
};
const defaultCount = 10;

/** A search for words. It needs no model. */
export class WordIndex {
  /** The passages in their order. */
  readonly docs: readonly Doc[];
  readonly #words: PassageWords;

  /** @internal */
  constructor(docs: readonly Doc[], words: PassageWords) {
    this.docs = docs;
    this.#words = words;
  }

  /** The passages that have words of the query, best first. If some have the phrases that stand in quotation marks, only those.
   *  They are found as by a search with `hybrid` of `createIndex`. */
  async search(query: string, options: WordSearchOptions = {}): Promise<WordHit[]> {
    await refuseWrong([query], { query: text });
    await refuseUnknown(options, searchNames);
    const { k = defaultCount, filter } = options;
    const matches = await this.#words.match(query);
    const quoted = await this.#words.withPhrases(query);
    return this.docs
      .flatMap((doc, i): WordHit[] => {
        const match = matches.get(doc);
        const isQuoted = quoted?.has(doc) ?? true;
        const isWanted = match !== undefined && isQuoted && (filter?.(doc) ?? true);
        return isWanted ? [{ id: doc.id ?? i, ...match, text: doc.text, doc }] : [];
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, k);
  }

  /** The query with words of the passages in the place of those that no passage has. Undefined if the passages have all words of
   *  the query, or none that is spelled nearly so. */
  async didYouMean(query: string): Promise<string | undefined> {
    await refuseWrong([query], { query: text });
    return this.#words.didYouMean(query);
  }
}

/**
 * Indexes the words of passages. No model and no WebAssembly is needed.
 *
 * @example
 * import { createWordIndex } from 'ambry/terms';
 *
 * const index = await createWordIndex([{ text: 'Tides follow the moon.' }]);
 * const [best] = await index.search('tide'); // { text: 'Tides follow the moon.', terms: ['tide'], … }
 */
export async function createWordIndex(
  docs: readonly Doc[],
  options: WordIndexOptions = {},
): Promise<WordIndex> {
  await refuseWrong([docs], { docs: list });
  await refuseUnknown(options, optionNames);
  checkDocs(docs);
  const { language } = options;
  const codes =
    language === undefined ? undefined : languageCodes(language, { path: 'options.language' });
  const words = new PassageWords(codes && (async () => codes));
  await words.update(docs);
  if (codes === undefined) {
    rememberWords(docs, words);
  }
  return new WordIndex(docs, words);
}

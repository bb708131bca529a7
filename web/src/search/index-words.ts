// The words of an index's passages. Browsers fetch this file with the first search for words, and when an index is saved.

import type { IndexModel } from './base/types.ts';
import type { IndexState } from './index-state.ts';
import { knownLanguages } from './known-languages.ts';
import { PassageWords } from './words/passage-words.ts';
import { wordsReadBefore } from './words/read-before.ts';

const known = new WeakMap<IndexState, PassageWords>();

/** The words of the passages that are there now. They are read from the index file, or from the texts, unless `createWordIndex` has read
 *  these passages. */
export async function indexWords(state: IndexState): Promise<PassageWords> {
  const { docs, savedWords, header } = state;
  const before = header.languages ? undefined : wordsReadBefore(docs);
  if (before) {
    return before;
  }
  let words = known.get(state);
  if (!words) {
    words = new PassageWords(
      (of) => knownLanguages(state, of),
      (texts) => areWords(state.model, texts),
    );
    known.set(state, words);
    if (savedWords?.docs === docs) {
      void words.restore(savedWords.words, docs).catch(() => {});
    }
  }
  await words.update(docs);
  return words;
}

/** A word that a tokenizer has as one token is none that is misspelled. */
async function areWords(model: IndexModel, texts: readonly string[]): Promise<readonly boolean[]> {
  if (!('tokenCounts' in model)) {
    return texts.map(() => false);
  }
  const [none = 0, ...counts] = await model.tokenCounts([
    '',
    ...texts.map((text) => text.toLowerCase()),
  ]);
  return counts.map((count) => count === none + 1);
}

/** The query with words of the passages in the place of those that no passage has, if any is spelled nearly so. */
export async function didYouMean(state: IndexState, query: string): Promise<string | undefined> {
  return (await indexWords(state)).didYouMean(query);
}

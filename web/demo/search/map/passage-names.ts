// The words that may name a group of passages.

import type { TellingWord } from '../../shared/point-map/group-names.ts';
import { isFunctionWord, normalizeWord, wordRanges } from '../results/matching/matched-words.ts';

const shortestWord = 3;
/** Long passages say enough in their first part. */
const mostCharacters = 2000;

/** The words of a passage without function words, numbers and short words. */
export function tellingWords(text: string): TellingWord[] {
  return wordRanges(text.slice(0, mostCharacters))
    .map(({ word }) => word.toLowerCase().replace(/['’]s$/u, ''))
    .filter((word) => isTelling(word))
    .map((word) => ({ key: normalizeWord(word), word }));
}

function isTelling(word: string): boolean {
  const isLatin = /^\p{Script=Latin}/u.test(word);
  return !/\p{N}/u.test(word) && !(isLatin && word.length < shortestWord) && !isFunctionWord(word);
}

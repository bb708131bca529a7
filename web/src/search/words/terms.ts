// Part of `ambry/terms`: splits a text into the terms that a search for words compares, with their places. Most scripts have words
// between spaces. Where a script writes no spaces, two neighbouring characters are a term, so that every engine finds the
// same terms without a dictionary.

import { AmbryError } from '../../base/errors.ts';

/** Chinese, Japanese, Korean (which joins particles to words), Thai, Lao, Khmer and Burmese. */
const unspaced =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}]';
const letter = '[\\p{L}\\p{M}\\p{N}]';
const runPattern = new RegExp(
  `(?=${letter})${unspaced}(?:(?=${letter})${unspaced}|\\p{M})*|(?:(?!${unspaced})${letter})+`,
  'gu',
);
const isUnspaced = new RegExp(`^${unspaced}`, 'u');
/** A character with the marks on it. */
const characterPattern = /\P{M}\p{M}*|\p{M}+/gu;

/** A word, a character, or a pair of characters. It is at `[start, end)` of the text, in UTF-16 code units. */
export interface Term {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The terms of a passage, as they are written: words, characters and pairs of characters. A text that may have forms such
 * as `ﬁ` or half-width letters should be normalized before (`text.normalize('NFKC')`).
 *
 * @example
 * import { passageTerms } from 'ambry/terms';
 *
 * passageTerms('Two cats.').map(({ word }) => word); // ['Two', 'cats']
 */
export function passageTerms(text: string): Term[] {
  return runsOf(text).flatMap((run) => {
    if (!isUnspaced.test(run.word)) {
      return [run];
    }
    const characters = charactersOf(run);
    return [...characters, ...pairsOf(characters)];
  });
}

/** The terms of a query. A character alone is a term only if nothing stands beside it. */
export function queryTerms(query: string): Term[] {
  return runsOf(query).flatMap((run) => {
    if (!isUnspaced.test(run.word)) {
      return [run];
    }
    const characters = charactersOf(run);
    return characters.length === 1 ? characters : pairsOf(characters);
  });
}

/** Runs of one kind: words, or texts without spaces. */
const runsOf = (text: string): Term[] =>
  [...checkedText(text).matchAll(runPattern)].map((run) => termOf(run, 0));

const charactersOf = ({ word, start }: Term): Term[] =>
  [...word.matchAll(characterPattern)].map((character) => termOf(character, start));

function termOf({ 0: word, index }: RegExpExecArray, from: number): Term {
  const start = from + index;
  return { word, start, end: start + word.length };
}

function pairsOf(characters: readonly Term[]): Term[] {
  return characters.slice(1).map(({ word, end }, i) => {
    const first = characters[i] as Term;
    return { word: first.word + word, start: first.start, end };
  });
}

/** Accents of Latin, Greek and Cyrillic letters, Hebrew points and Arabic vowel signs. Marks of other scripts are
 *  letters of their own. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/gu;

/** The word without accents. */
export function withoutAccents(word: string): string {
  return checkedText(word).normalize('NFD').replace(accents, '').normalize('NFC');
}

function checkedText(text: unknown): string {
  if (typeof text === 'string') {
    return text;
  }
  throw new AmbryError('BadValue', `Must be a text, not ${typeof text}.`, { path: 'text' });
}

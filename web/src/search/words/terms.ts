// Part of `ambry/terms`: splits a text into the terms that a search for words compares, with their places. Most scripts have words
// between spaces. Where a script writes no spaces, two neighbouring characters are a term, so that every engine finds the
// same terms without a dictionary.

import { checkedText } from '../../base/checked-text.ts';

/** Chinese, Japanese, Korean (which joins particles to words), Thai, Lao, Khmer and Burmese. */
const unspaced =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}]';
/** The signs that choose the picture of an emoji, and frame a key, are no marks of words. */
const letter = '(?:(?![\\u20e3\\ufe0e\\ufe0f])[\\p{L}\\p{M}\\p{N}])';
/** Joiners stand within words of Arabic and Indic scripts. */
const spaced = `(?:(?!${unspaced})${letter})`;
const emoji =
  '\\p{RI}{2}|(?:\\p{Emoji_Presentation}|(?![©®™])\\p{Extended_Pictographic})(?:\\p{Emoji_Modifier}|\\ufe0f|\\u200d\\p{Extended_Pictographic})*';
const runPattern = new RegExp(
  `(?=${letter})${unspaced}(?:(?=${letter})${unspaced}|\\p{M})*|${spaced}+(?:[\\u200c\\u200d]+${spaced}+)*|${emoji}`,
  'gu',
);
const isUnspaced = new RegExp(`^${unspaced}`, 'u');
/** A character with the marks on it. */
const characterPattern = /\P{M}\p{M}*|\p{M}+/gu;

/** A word, a character, a pair of characters, or an emoji. It is at `[start, end)` of the text, in UTF-16 code units. */
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
  return runsOf(checkedText(text)).flatMap((run) => {
    if (!isUnspaced.test(run.word)) {
      return [run];
    }
    const characters = charactersOf(run);
    return [...characters, ...pairsOf(characters)];
  });
}

/** The terms of a query. A character alone is a term only if nothing stands beside it. */
export function queryTerms(query: string): Term[] {
  return runsOf(checkedText(query)).flatMap((run) => {
    if (!isUnspaced.test(run.word)) {
      return [run];
    }
    const characters = charactersOf(run);
    return characters.length === 1 ? characters : pairsOf(characters);
  });
}

/** Runs of one kind: words, or texts without spaces. */
const runsOf = (text: string): Term[] =>
  [...text.matchAll(runPattern)].map((run) => termOf(run, 0));

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

// Splits a text into the terms that a search for words compares, with their places, for highlights. Most scripts have
// words between spaces. Where a script writes no spaces, a term is a pair of neighbouring characters.

/** Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese. */
const unspaced =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}]';
const letter = '[\\p{L}\\p{M}\\p{N}]';
const runPattern = new RegExp(
  `(?=${letter})${unspaced}(?:(?=${letter})${unspaced}|\\p{M})*|(?:(?!${unspaced})${letter})+`,
  'gu',
);
const isUnspaced = new RegExp(`^${unspaced}`, 'u');
const characterPattern = /\P{M}\p{M}*|\p{M}+/gu;
/** A longer word is no word: a key, a checksum, data. */
const mostLength = 64;

/** `[start, end)` in UTF-16 code units of the text. */
export interface Term {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The terms of a passage: words, characters and pairs of characters. */
export function passageTerms(text: string): Term[] {
  return runsOf(text).flatMap((run) => {
    if (!isUnspaced.test(run.word)) return [run];
    const characters = charactersOf(run);
    return [...characters, ...pairsOf(characters)];
  });
}

/** The terms of a query. A character alone is a term only if nothing stands beside it. */
export function queryTerms(query: string): Term[] {
  return runsOf(query).flatMap((run) => {
    if (!isUnspaced.test(run.word)) return [run];
    const characters = charactersOf(run);
    return characters.length === 1 ? characters : pairsOf(characters);
  });
}

function runsOf(text: string): Term[] {
  const runs: Term[] = [];
  for (const { 0: word, index } of text.matchAll(runPattern)) {
    if (word.length > mostLength && !isUnspaced.test(word)) continue;
    runs.push({ word, start: index, end: index + word.length });
  }
  return runs;
}

function charactersOf({ word, start }: Term): Term[] {
  return [...word.matchAll(characterPattern)].map(({ 0: character, index }) => ({
    word: character,
    start: start + index,
    end: start + index + character.length,
  }));
}

function pairsOf(characters: readonly Term[]): Term[] {
  return characters.slice(1).map(({ word, end }, i) => {
    const first = characters[i] as Term;
    return { word: first.word + word, start: first.start, end };
  });
}

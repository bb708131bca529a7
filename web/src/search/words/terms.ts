// Splits a text into the terms that a search for words compares. Most scripts have words between spaces. Where a script
// writes no spaces, two neighbouring characters are a term, so that every engine finds the same terms without a dictionary.

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

/** Runs of one kind: words, or texts without spaces. */
const runsOf = (text: string): string[] => text.normalize('NFKC').match(runPattern) ?? [];

/** The terms of a passage: words, characters and pairs of characters. */
export function passageTerms(text: string): string[] {
  return runsOf(text).flatMap((run) => {
    if (!isUnspaced.test(run)) return [run];
    const characters = charactersOf(run);
    return characters.length === 1 ? characters : [...characters, ...pairsOf(characters)];
  });
}

/** The terms of a query. A character alone is a term only if nothing stands beside it. */
export function queryTerms(query: string): string[] {
  return runsOf(query).flatMap((run) => {
    if (!isUnspaced.test(run)) return [run];
    const characters = charactersOf(run);
    return characters.length === 1 ? characters : pairsOf(characters);
  });
}

const charactersOf = (run: string): string[] => run.match(characterPattern) ?? [];

function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, i) => (characters[i] ?? '') + character);
}

/** Accents of Latin, Greek and Cyrillic letters, Hebrew points and Arabic vowel signs. Marks of other scripts are
 *  letters of their own. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/gu;

/** The word without accents. */
export function withoutAccents(word: string): string {
  return word.normalize('NFD').replace(accents, '').normalize('NFC');
}

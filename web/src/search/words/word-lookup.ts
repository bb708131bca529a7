// Which words of the passages a word of a query stands for: the word itself, the words inside of it, words that begin so while it
// is typed, or one that is spelled nearly so.
import { editDistance } from '../../base/edit-distance.ts';
import { endsCompound, hasCompounds } from './compounds.ts';
import type { LanguageWords } from './language-words.ts';
import { wordsInside } from './names.ts';
import type { TableEntry, WantedWord } from './word-table.ts';

/** Words that begin so, and words that are spelled nearly so, count less than the word itself. */
const likeShare = 0.7;
/** What a compound counts beside its last word. */
const compoundShare = 0.5;
/** One letter begins too many words. */
const leastPrefix = 2;
/** So many of the words that begin so are taken, the most frequent ones. */
const mostWords = 24;
/** Words of fewer letters have too many neighbours. */
const oneEditFrom = 5;
const twoEditsFrom = 9;

/** A word of the query as it is typed. */
export interface TypedWord {
  readonly word: string;
  /** Whether more letters may follow. */
  readonly isOpen: boolean;
}

interface NearWord {
  readonly stem: string;
  readonly form: string;
}

/** What a word that the passages have stands for. Undefined if they do not have it. */
export function knownWord(words: LanguageWords, { word }: TypedWord): WantedWord[] | undefined {
  const stem = words.stemOf(word);
  const stems = new Map(compoundsWith(words, word, stem).map((one) => [one, compoundShare]));
  if (words.table.entries.has(stem)) {
    stems.set(stem, 1);
  }
  if (stems.size > 0) {
    return [{ word, stems }];
  }
  const inside = wordsInside(word).map(words.stemOf);
  if (inside.length === 0 || !inside.every((one) => words.table.entries.has(one))) {
    return undefined;
  }
  return inside.map((one) => ({ word, stems: new Map([[one, 1]]) }));
}

/** The stems of the compounds whose last word it is. */
function compoundsWith(
  { code, table, foldOf }: LanguageWords,
  word: string,
  stem: string,
): string[] {
  if (!hasCompounds(code)) {
    return [];
  }
  const folded = foldOf(word);
  const found = [...table.entries].filter(
    ([key, { forms }]) =>
      key !== stem &&
      ([...forms].some((form) => endsCompound(folded, form, code)) ||
        endsCompound(stem, key, code)),
  );
  return found.map(([key]) => key);
}

/** The words that begin so. */
export function begunWord(words: LanguageWords, { word, isOpen }: TypedWord): WantedWord {
  const letters = words.foldOf(word);
  if (!isOpen || [...letters].length < leastPrefix) {
    return { word, stems: new Map() };
  }
  const begun = [...words.table.entries]
    .filter(([, { forms }]) => [...forms].some((form) => form.startsWith(letters)))
    .sort(byHolders)
    .slice(0, mostWords);
  return { word, stems: new Map(begun.map(([stem]) => [stem, likeShare])) };
}

const byHolders = ([, a]: readonly [string, TableEntry], [, b]: readonly [string, TableEntry]) =>
  b.ids.length - a.ids.length;

/** The word that is spelled nearly so: the nearest, and among equals the most frequent. Undefined if none is near. The first letter
 *  is seldom typed wrong: another one makes another word, such as `sleep` beside `asleep`. */
export function nearWord(words: LanguageWords, word: string): NearWord | undefined {
  const letters = words.foldOf(word);
  const length = [...letters].length;
  if (length < oneEditFrom || /\p{N}/u.test(letters)) {
    return undefined;
  }
  let most = length < twoEditsFrom ? 1 : 2;
  let best: (NearWord & { readonly holders: number }) | undefined;
  for (const [stem, { forms, ids }] of words.table.entries) {
    for (const form of forms) {
      if (!beginsAlike(letters, form)) {
        continue;
      }
      const distance = editDistance(letters, form, most);
      if (distance < most || (distance === most && ids.length > (best?.holders ?? 0))) {
        most = distance;
        best = { stem, form, holders: ids.length };
      }
    }
  }
  return best;
}

/** With the same letter, or with the first two exchanged. */
const beginsAlike = (a: string, b: string): boolean =>
  a[0] === b[0] || (a[0] === b[1] && a[1] === b[0]);

export const likeWord = (word: string, { stem }: NearWord): WantedWord => ({
  word,
  stems: new Map([[stem, likeShare]]),
});

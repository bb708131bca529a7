// The names of pages and sections: their titles, headings and files. A query that is such a name finds its page first.
import { plainLetters } from './terms.ts';

/** A longer query is no name. */
const mostLength = 80;
/** Words of a name, with the signs that are part of it: C++, C#. */
const wordPattern = /[\p{L}\p{M}\p{N}]+(?:[+#]+(?![\p{L}\p{N}]))?/gu;
const camelPattern = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+/gu;

export const wordsOfName = (name: string): string[] => plainLetters(name).match(wordPattern) ?? [];

/**
 * What all ways to write a name have in common: `git merge`, `git-merge` and `GitMerge` are one, and so are `PPR-9087` and
 * `PPR9087`. Numbers stay apart: `1.2.3` is not `12.3`. Undefined for what is no name.
 */
export function nameKey(words: readonly string[]): string | undefined {
  const isNumber = (word: string | undefined) => word !== undefined && /^\p{N}+$/u.test(word);
  const key = words
    .map((word, i) => (isNumber(word) && isNumber(words[i - 1]) ? `.${word}` : word))
    .join('');
  return key === '' || key.length > mostLength ? undefined : key;
}

/** An identifier with more words inside is no name that somebody types in part. */
export const mostPieces = 6;

/** The words in an identifier: `get`, `user`, `by`, `id` of `getUserById`. One word where it has no others. */
export const wordsInside = (word: string): string[] => word.match(camelPattern) ?? [];

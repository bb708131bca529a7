// Part of `ambry/terms`: the names of pages, sections and functions. A search for such a name finds its place first.
import { checkedText } from '../../base/checked-text.ts';
import { withoutAccents } from './fold.ts';

/** A longer query is no name. */
const mostLength = 80;
/** Words of a name, with the signs that are part of it: C++, C#. */
const wordPattern = /[\p{L}\p{M}\p{N}]+(?:[+#]+(?![\p{L}\p{N}]))?/gu;
const camelPattern = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+/gu;

/**
 * Small letters without accents, whatever the language.
 *
 * @example
 * import { plainLetters } from 'ambry/terms';
 *
 * plainLetters('Łódź'); // 'lodz'
 */
export const plainLetters = (text: string): string =>
  withoutAccents(checkedText(text).normalize('NFKC').toLowerCase());

/** `v1.2` is `1.2`. */
const versionSign = /(?<![\p{L}\p{N}])v(?=\d+[._]\d)/gu;

/** The words of a name in plain letters, with the signs that are part of them: `c++`. */
export const wordsOfName = (name: string): string[] =>
  plainLetters(name).replace(versionSign, '').match(wordPattern) ?? [];

/**
 * What all ways to write a name have in common: `git merge`, `git-merge` and `GitMerge` are one, and so are `PPR-9087` and
 * `PPR9087`. Numbers stay apart: `1.2.3` is not `12.3`. Undefined for what is no name.
 *
 * @example
 * import { nameKey } from 'ambry/terms';
 *
 * nameKey('git merge') === nameKey('git-merge'); // true
 */
export function nameKey(name: string): string | undefined {
  const words = wordsOfName(name);
  const isNumber = (word: string | undefined) => word !== undefined && /^\p{N}+$/u.test(word);
  const key = words
    .map((word, i) => (isNumber(word) && isNumber(words[i - 1]) ? `.${word}` : word))
    .join('');
  return key === '' || key.length > mostLength ? undefined : key;
}

/** An identifier with more words inside is no name that somebody types in part. */
const mostPieces = 6;

/** The words in an identifier: `get`, `user`, `by`, `id` of `getUserById`. None where there is one word or more than six. */
export function wordsInside(word: string): string[] {
  const words = checkedText(word).match(camelPattern) ?? [];
  return words.length > 1 && words.length <= mostPieces ? words : [];
}

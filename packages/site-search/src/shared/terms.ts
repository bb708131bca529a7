// The terms of texts and queries that a site index counts: not what is longer than a word.
import { passageTerms as allOfPassage, queryTerms as allOfQuery, type Term } from 'ambry/terms';
import { nameKey } from './names.ts';

export { plainLetters } from 'ambry/terms';

/** A longer word is a key, a checksum, or data. */
const mostLength = 64;
const isShort = ({ word }: Term): boolean => word.length <= mostLength;

/** Words that mean little apart, such as `1.2.3`, `v1.2`, `PPR-9087` and `don't`, and those that are written as one too: `e-mail`. */
const joined =
  /(?<![\p{L}\p{M}\p{N}])(?:(?:v(?=\d+[._]))?\d+(?:[._-]\d+)+|\p{L}+[-_]\d+(?![._-]?\p{N})|\p{L}+n['’]t|\p{L}{1,3}-\p{L}{2,})(?![-'’]?[\p{L}\p{M}\p{N}])/giu;
/** What every joined word has. Most texts have none, and are not read again. */
const joint = /[-_'’]|\d[._]\d/;
/** What stands before and after an apostrophe, where it says nothing. */
const elided = /^(?:[cdjlmnst]|qu)$/i;
const contracted = /^(?:[dmst]|ll|re|ve)$/i;

/** The words of a text. */
export const wordsOf = (text: string): Term[] => allOfPassage(text).filter(isShort);
/** The words of a query. */
export const queryWords = (query: string): Term[] => allOfQuery(query).filter(isShort);

/** The words of a text, and those that are joined. */
export const passageTerms = (text: string): Term[] => [...wordsOf(text), ...joinedTerms(text)];

/** The words of a query that say something. */
export function queryTerms(query: string): Term[] {
  const words = queryWords(query);
  const telling = words.filter(
    ({ word, start, end }) =>
      !(contracted.test(word) && /\p{L}['’]$/u.test(query.slice(0, start))) &&
      !(elided.test(word) && /^['’]\p{L}/u.test(query.slice(end))),
  );
  return telling.length > 0 ? telling : words;
}

/** A number after a name, as readers type `ppr 9087` for `PPR-9087`. */
const apart = /(?<![\p{L}\p{M}\p{N}._-])\p{L}+ \d{2,}(?![._-]?[\p{L}\p{M}\p{N}])/gu;

/** What a query may mean as one word: what is joined, and a name with a number after it. */
export const joinedQueryTerms = (query: string): Term[] => [
  ...joinedTerms(query),
  ...joinedBy(apart, query),
];

/** All ways to write them are one, as for names. */
export const joinedTerms = (text: string): Term[] =>
  joint.test(text) ? joinedBy(joined, text) : [];

const joinedBy = (pattern: RegExp, text: string): Term[] =>
  [...text.matchAll(pattern)]
    .map(({ 0: found, index }) => {
      const words =
        found
          .toLowerCase()
          .replace(/^v(?=\d)/, '')
          .match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [];
      return { word: nameKey(words) ?? '', start: index, end: index + found.length };
    })
    .filter((term) => term.word !== '' && isShort(term));

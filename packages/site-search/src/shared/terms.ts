// The terms of texts and queries that a site index counts: not what is longer than a word.
import { passageTerms as allOfPassage, queryTerms as allOfQuery, type Term } from 'ambry/terms';

export { plainLetters } from 'ambry/terms';

/** A longer word is a key, a checksum, or data. */
const mostLength = 64;
const isShort = ({ word }: Term): boolean => word.length <= mostLength;

export const passageTerms = (text: string): Term[] => allOfPassage(text).filter(isShort);
export const queryTerms = (query: string): Term[] => allOfQuery(query).filter(isShort);

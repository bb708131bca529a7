// A query as the words of one language.

import { compoundEnds } from 'ambry/terms';
import { otherForm } from '../../shared/english-plurals.ts';
import { limits } from '../../shared/limits.ts';
import { wordsInside } from '../../shared/names.ts';
import type { Language } from '../../shared/stems.ts';
import { joinedQueryTerms, queryTerms } from '../../shared/terms.ts';
import { withoutUnseen } from '../../shared/unseen.ts';
import { noStem } from '../../shared/word-shard.ts';

export interface QueryTerm {
  /** What all forms of the word have in common; `noStem` for the beginning of words that is none itself. */
  readonly stem: string;
  /** The letters as they were typed, if more may follow. Words that begin so are found too. */
  readonly prefix: string | undefined;
  /** The word as it was typed. */
  readonly word: string;
  /** The stem of the joined word that it is a piece of, such as `1.2.3`. Where a page has that, pieces do not count. */
  readonly whole: string | undefined;
  /** Whether it counts beside the joined word where a page has it, as `mail` of `e-mail` does. */
  readonly isLoose: boolean;
  /** Whether it is joined. */
  readonly isJoined: boolean;
}

/** Pieces of such a word count beside it. */
const hyphenated = /^\p{L}+-\p{L}+$|^\p{L}+ /u;

/** Each word once. The last one may be incomplete, unless something follows it. */
export function termsOf(query: string, language: Language): QueryTerm[] {
  const joined = joinedQueryTerms(query);
  const found = new Map<string, QueryTerm>();
  for (const term of [...queryTerms(query), ...joined]) {
    const { word, start, end } = term;
    const stem = language.stem(word);
    const isJoined = joined.includes(term);
    const around = joined.find((one) => one !== term && one.start <= start && end <= one.end);
    const isWhole = around && !hyphenated.test(query.slice(around.start, around.end));
    const isOpen = end === query.length && !isWhole;
    const prefix = isOpen ? language.fold(word) : found.get(stem)?.prefix;
    const whole = around && language.stem(around.word);
    const isLoose = around !== undefined && !isWhole;
    found.set(stem, { stem, prefix, word, whole, isLoose, isJoined });
  }
  return [...found.values()];
}

/** What is searched of what was typed. */
export const boundedQuery = (query: string): string =>
  withoutUnseen(query.trimStart().slice(0, limits.queryLength).normalize('NFKC'));

/** Whether a word of a text is one of the query's, has one in it, or begins as the incomplete one does. */
export function matcherOf(terms: readonly QueryTerm[], language: Language) {
  const stems = new Set(terms.map(({ stem }) => stem));
  const open = terms.filter(({ prefix }) => prefix !== undefined);
  const isOne = (word: string): string | undefined => {
    const stem = language.stem(word);
    if (stems.has(stem)) {
      return stem;
    }
    if (open.length === 0) {
      return undefined;
    }
    const folded = language.fold(word);
    const isBegun = ({ prefix = '', stem: own }: QueryTerm) =>
      folded.startsWith(prefix) && !(own === noStem && folded === prefix);
    return open.find(isBegun)?.stem;
  };
  /** The stem of the query's word; undefined if it is none. */
  return (word: string): string | undefined => {
    const inside = wordsInside(word);
    const folded = language.fold(word);
    const other = language.code === 'en' ? otherForm(folded) : undefined;
    const ends = other === undefined ? compoundEnds(folded, language.code) : [other];
    return isOne(word) ?? firstOf(inside.length > 1 ? inside : ends, isOne);
  };
}

function firstOf(
  words: readonly string[],
  stemOf: (word: string) => string | undefined,
): string | undefined {
  for (const word of words) {
    const stem = stemOf(word);
    if (stem !== undefined) {
      return stem;
    }
  }
  return undefined;
}

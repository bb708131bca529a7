// Part of `ambry/terms`: phrases in quotation marks, whose words must stand one after another.
import { checkedText } from '../../base/checked-text.ts';
import { AmbryError } from '../../base/errors.ts';
import { plainLetters } from './names.ts';
import { passageTerms, queryTerms, type Term } from './terms.ts';

const quoted = /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»/gu;

const plainWords = (terms: readonly Term[]): string[] =>
  terms.map(({ word }) => plainLetters(word));

/**
 * The words of each phrase in quotation marks of a query, in plain letters.
 *
 * @example
 * import { phrasesOf } from 'ambry/terms';
 *
 * phrasesOf('"reference cycle" in Rust'); // [['reference', 'cycle']]
 */
export function phrasesOf(query: string): string[][] {
  return [...checkedText(query).matchAll(quoted)]
    .map((match) => plainWords(queryTerms(match.slice(1).find(Boolean) ?? '')))
    .filter((words) => words.length > 0);
}

/**
 * Whether each phrase stands in one of the texts.
 *
 * @example
 * import { havePhrases } from 'ambry/terms';
 *
 * havePhrases(['A reference cycle.'], [['reference', 'cycle']]); // true
 */
export function havePhrases(
  texts: readonly string[],
  phrases: readonly (readonly string[])[],
): boolean {
  checkLists({ texts, phrases });
  // Most queries have no phrase, and the words of all texts would be read for nothing.
  if (phrases.length === 0) {
    return true;
  }
  const words = texts.map((text) => plainWords(passageTerms(text)));
  return phrases.every((phrase) => words.some((all) => hasInOrder(all, phrase)));
}

function checkLists(lists: Readonly<Record<string, unknown>>): void {
  for (const [path, list] of Object.entries(lists)) {
    if (!Array.isArray(list)) {
      throw new AmbryError('BadValue', `Must be a list, not ${typeof list}.`, { path });
    }
  }
}

const hasInOrder = (all: readonly string[], phrase: readonly string[]): boolean =>
  all.some((_, at) => phrase.every((word, i) => all[at + i] === word));

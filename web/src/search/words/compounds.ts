// Part of `ambry/terms`: the last words of compounds, in languages that write them as one: `Netzgerät` of `Hochspannungsnetzgerät`.

import { checkedText } from '../../base/checked-text.ts';

const languages: ReadonlySet<string> = new Set(['da', 'de', 'fi', 'hu', 'nl', 'no', 'sv']);
const leastCompound = 9;
const leastPart = 5;
const leastBefore = 3;
/** Endings after which the next word of a compound begins. */
const joints = /(?:ungs|heits|keits|schafts|ions|tats|lings|ings|hets|ets)$/;

/**
 * All ends of a long word that may be its last word, the longest first. The word is folded. None in a language that does not
 * write compounds as one word.
 *
 * @example
 * import { compoundEnds } from 'ambry/terms';
 *
 * compoundEnds('jahresbericht', 'de').includes('bericht'); // true
 */
export function compoundEnds(word: string, language: string): string[] {
  if (checkedText(word).length < leastCompound || !languages.has(language)) {
    return [];
  }
  const count = word.length - leastPart - leastBefore + 1;
  return Array.from({ length: count }, (_, i) => word.slice(leastBefore + i));
}

/**
 * The last words of a compound: its ends that are known as words, and the longest one after a joint. The word is folded.
 *
 * @example
 * import { lastWords } from 'ambry/terms';
 *
 * lastWords('jahresbericht', 'de', (word) => word === 'bericht'); // ['bericht']
 */
export function lastWords(
  word: string,
  language: string,
  isKnown: (end: string) => boolean,
): string[] {
  const ends = compoundEnds(word, language);
  const joined = ends.find((end) => joints.test(word.slice(0, -end.length)));
  return ends.filter((end) => isKnown(end) || end === joined);
}

/** Whether the word is the last one of a compound. Both are folded. */
export const endsCompound = (word: string, compound: string, language: string): boolean =>
  word.length >= leastPart &&
  compound.endsWith(word) &&
  compoundEnds(compound, language).includes(word);

/** Whether the language writes compounds as one word. */
export const hasCompounds = (language: string): boolean => languages.has(language);

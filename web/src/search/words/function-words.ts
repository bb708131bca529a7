// Part of `ambry/terms`: the words that nearly every text has: articles, pronouns, prepositions, forms of "to be". They say nothing of what a question
// is about, unless it has no other words.
import { checkedText } from '../../base/checked-text.ts';
import { frequentWordsOf } from './frequent-words.ts';

/** English ones that do not show the language, and the parts of `can't` and `it's`. */
const english = `about after again all also am any been being before both could d did do does doing don down each else ever every
  few get gets give go got had has having he her here hers him his if into it's its just ll m many may me might mine much must my
  need no none now of off onto our out over own re s same she should so some such t than their them then there these they those
  through too under until up upon us ve very want was were whatever when where whether which while who whom whose why will with
  within without would your yours`;

const lists = new Map<string, ReadonlySet<string>>();

/**
 * The function words of a language by its code, in lower case. Empty for a language without a list.
 *
 * @example
 * import { functionWordsOf } from 'ambry/terms';
 *
 * functionWordsOf('de').has('nicht'); // true
 */
export function functionWordsOf(code: string): ReadonlySet<string> {
  const more = code === 'en' ? english.split(/\s+/) : [];
  const known = lists.get(checkedText(code)) ?? new Set([...frequentWordsOf(code), ...more]);
  lists.set(code, known);
  return known;
}

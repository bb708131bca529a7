// How a question is put to the index once the page has choices: from which sources, near-duplicates folded.

import type { Doc } from 'ambry';
import { formatAmount } from '../../shared/format.ts';
import { kShown, type Lookup } from '../state.ts';
import { foldAlike } from './near-duplicates.ts';
import { sourceOf } from './result-item.ts';
import { countSources, type SourceCount } from './source-chips.ts';

/** Enough for near-duplicates to fold and sources to be counted. */
const kAsked = 40;

export interface Choices {
  /** Ranked by meaning alone, or by the words too. */
  readonly mode: 'meaning' | 'words';
  /** Sources that the answers may come from; none stands for all. */
  readonly chosen: readonly string[];
}

/** `counted` hears which sources the best answers are from, and which of the chosen ones there are. */
export function lookupWith(
  { mode, chosen }: Choices,
  counted: (counts: readonly SourceCount[], chosen: readonly string[]) => void,
): Lookup {
  return async (index, query, signal) => {
    const options = { k: kAsked, signal, hybrid: mode === 'words' };
    const best = await index.search(query, options);
    const present = chosen.filter((name) => index.docs.some((doc) => sourceOf(doc) === name));
    const filter = (doc: Doc): boolean => present.includes(sourceOf(doc));
    const hits = present.length === 0 ? best : await index.search(query, { ...options, filter });
    if (!signal.aborted) {
      counted(countSources(best), present);
    }
    const { hits: unlike, alike } = foldAlike(hits);
    const found = { hits: unlike.slice(0, kShown), alike };
    if (present.length === 0) {
      return found;
    }
    const passages = formatAmount(index.docs.filter(filter).length, 'passage');
    return { ...found, among: `${passages} in ${present.join(', ')}` };
  };
}

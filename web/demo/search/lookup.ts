// How a question is put to the index once the page has choices: from which sources, near-duplicates folded.

import type { SearchHit } from 'ambry';
import { formatAmount } from '../shared/format.ts';
import { foldAlike } from './near-duplicates.ts';
import { sourceOf } from './result-item.ts';
import { countSources, type SourceCount } from './sources.ts';
import { kShown, type Lookup } from './state.ts';

/** Enough for near-duplicates to fold and sources to be counted. */
const kAsked = 40;

export interface Choices {
  /** Sources that the answers may come from; none stands for all. */
  readonly chosen: readonly string[];
}

/** `counted` hears which sources the best answers are from, and which of the chosen ones there are. */
export function lookupWith(
  { chosen }: Choices,
  counted: (counts: readonly SourceCount[], chosen: readonly string[]) => void,
): Lookup {
  return async (index, query, signal) => {
    const best = await index.search(query, { k: kAsked, signal });
    const present = chosen.filter((name) => index.docs.some((doc) => sourceOf(doc) === name));
    const isChosen = (doc: SearchHit['doc']): boolean => present.includes(sourceOf(doc));
    let hits: readonly SearchHit[] = best;
    if (present.length > 0) {
      const all = await index.search(query, { k: index.size, signal });
      hits = all.filter(({ doc }) => isChosen(doc)).slice(0, kAsked);
    }
    if (!signal.aborted) {
      counted(countSources(best), present);
    }
    const folded = foldAlike(hits);
    const among = `${formatAmount(index.docs.filter(isChosen).length, 'passage')} in ${present.join(', ')}`;
    return {
      ...folded,
      hits: folded.hits.slice(0, kShown),
      ...(present.length > 0 && { among }),
    };
  };
}

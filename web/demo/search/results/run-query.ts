// Searches the index with the chosen ranking and sources, and groups near-duplicates.

import type { Doc, SearchHit, SearchIndex, SearchOptions } from 'ambry';
import { formatAmount } from '../../shared/base/format.ts';
import { hybridOf, type QueryOptions, type RunQuery, resultCount } from '../state/state.ts';
import { groupNearDuplicates } from './matching/near-duplicates.ts';
import { sourceOf } from './result-item.ts';
import { countSources, type SourceCount } from './source-chips.ts';

/** More than are shown, so that near-duplicates can be grouped and sources counted. */
const requestedHits = 40;

/** The chosen sources that the index has. */
export const presentSources = (index: SearchIndex, sources: readonly string[]): readonly string[] =>
  sources.filter((name) => index.docs.some((doc) => sourceOf(doc) === name));

/** The hits of the query, or of what may have been meant, if its best hit is better. */
async function betterOf(
  index: SearchIndex,
  query: string,
  options: SearchOptions,
): Promise<{ readonly best: readonly SearchHit[]; readonly meant?: string }> {
  const [best, meant] = await Promise.all([
    index.search(query, options),
    options.hybrid ? index.didYouMean(query) : undefined,
  ]);
  if (meant === undefined) {
    return { best };
  }
  const others = await index.search(meant, options);
  const scoreOf = ([first]: readonly SearchHit[]): number => first?.score ?? 0;
  return scoreOf(others) > scoreOf(best) ? { best: others, meant } : { best };
}

/** `onCounts` gets the sources of the best hits, and those of the chosen sources that the index has. */
export function queryWith(
  { mode, sources }: QueryOptions,
  onCounts: (counts: readonly SourceCount[], chosen: readonly string[]) => void,
): RunQuery {
  return async (index, query, signal) => {
    const options = { k: requestedHits, signal, hybrid: hybridOf(mode) };
    const { best, meant } = await betterOf(index, query, options);
    const present = presentSources(index, sources);
    const filter = (doc: Doc): boolean => present.includes(sourceOf(doc));
    const hits =
      present.length === 0 ? best : await index.search(meant ?? query, { ...options, filter });
    if (!signal.aborted) {
      onCounts(countSources(best), present);
    }
    const groups = groupNearDuplicates(hits);
    const hasMeant = meant === undefined ? {} : { meant };
    const result = { ...groups, ...hasMeant, hits: groups.hits.slice(0, resultCount) };
    if (present.length === 0) {
      return result;
    }
    const passages = formatAmount(index.docs.filter(filter).length, 'passage');
    return { ...result, scope: `${passages} in ${present.join(', ')}` };
  };
}

// Searches whose best passages are sorted anew by a reranker. Browsers fetch this file with the first one.
import { AmbryError, abortError } from '../base/errors.ts';
import type { Embedder } from '../model/embedding.ts';
import { type SearchHit, type SearchOptions, searchDefaults } from './base/types.ts';

/** `retrieve` finds the candidates. */
export async function rerankedSearch(
  retrieve: (query: string, options: SearchOptions) => Promise<SearchHit[]>,
  query: string,
  { rerank, candidates = searchDefaults.candidates, k = searchDefaults.k, ...rest }: SearchOptions,
): Promise<SearchHit[]> {
  if (typeof rerank?.rank !== 'function') {
    throw bad('The reranker must be an object with a method rank.', 'options.rerank');
  }
  const { kind, lateInteraction } = rerank as Partial<Embedder>;
  if (kind === 'encoder' && !lateInteraction) {
    const message = 'An encoder without late interaction cannot sort passages.';
    throw bad(message, 'options.rerank');
  }
  if (!Number.isInteger(candidates) || candidates < 1) {
    const message = `The number of candidates must be an integer of 1 or more, not ${candidates}.`;
    throw bad(message, 'options.candidates');
  }
  const found = await retrieve(query, { ...rest, k: Math.max(candidates, k) });
  if (found.length === 0) {
    return [];
  }
  const { signal } = rest;
  if (signal?.aborted) {
    throw abortError(signal);
  }
  const texts = found.map(({ text }) => text);
  const ranked = await rerank.rank(query, texts, { k, ...(signal && { signal }) });
  return ranked.slice(0, k).map(({ index, score }) => {
    const hit = found[index];
    if (hit) {
      return { ...hit, score, retrievalScore: hit.score };
    }
    throw bad(`The reranker names document ${index} of ${found.length}.`, 'options.rerank');
  });
}

function bad(message: string, path: string): AmbryError {
  return new AmbryError('BadValue', message, { path });
}

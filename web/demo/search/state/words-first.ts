// Answers by words while the model and the index are not there yet.

import type { Doc } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import { type QueryResult, resultCount, type SearchState } from './state.ts';

/** The code comes in one request, whoever asks first. */
export const loadTerms = () => import('ambry/terms');

/** Indexes the words of the passages, unless the index is there first. Without them, the page waits for the index. */
export async function indexWords(
  store: Store<SearchState>,
  passages: readonly Doc[],
): Promise<void> {
  try {
    const { createWordIndex } = await loadTerms();
    const words = await createWordIndex(passages);
    if (store.state.index === null) {
      store.update({ words });
    }
  } catch {
    // The code did not come.
  }
}

/** The best passages by words. They have no cosine yet. */
export async function answerByWords(
  words: NonNullable<SearchState['words']>,
  query: string,
): Promise<QueryResult> {
  const hits = await words.search(query, { k: resultCount });
  return { hits: hits.map((hit) => ({ ...hit, score: Math.min(1, hit.score), cosine: 0 })) };
}

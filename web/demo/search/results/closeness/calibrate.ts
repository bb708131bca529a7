// Measures once per index what score questions without an answer reach. It begins after the first answer, while the page has no
// other work, and again when passages were added.

import type { SearchIndex } from 'ambry';
import type { Store } from '../../../shared/store.ts';
import type { SearchState } from '../../state.ts';
import { probes } from './probes.ts';
import { scaleOf } from './scale.ts';

async function bestScores(index: SearchIndex, signal: AbortSignal): Promise<readonly number[]> {
  const scores: number[] = [];
  for (const probe of probes) {
    // One after another, so that a question of the user waits for one of them at most.
    const [best] = await index.search(probe, { k: 1, signal });
    signal.throwIfAborted();
    scores.push(best?.cosine ?? 0);
  }
  return scores;
}

export function mountCalibration(store: Store<SearchState>): void {
  let measured: { readonly index: SearchIndex; readonly size: number } | null = null;
  let running = new AbortController();

  const measure = async (index: SearchIndex): Promise<void> => {
    const { size } = index;
    running.abort();
    running = new AbortController();
    const { signal } = running;
    measured = { index, size };
    try {
      const closeness = scaleOf(await bestScores(index, signal));
      if (store.state.index === index) {
        store.update({ closeness });
      }
    } catch {
      // The index is gone, or its worker died. Without a scale the page shows the scores alone.
    }
  };
  store.watch(['index', 'answer', 'job'], ({ index, answer, job }) => {
    if (measured !== null && measured.index !== index) {
      running.abort();
      measured = null;
      store.update({ closeness: null });
    }
    const isKnown = measured?.size === index?.size;
    if (index !== null && answer !== null && job === null && index.size > 0 && !isKnown) {
      void measure(index);
    }
  });
}

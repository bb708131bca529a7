// Measures once per index what score questions without an answer reach, and compares each answer to that. It begins after the first
// answer, while the page has no other work, and again when passages were added.

import type { SearchHit, SearchIndex } from 'ambry';
import type { Store } from '../../../shared/base/store.ts';
import { type ClosenessScale, scaleOf } from '../../state/scale.ts';
import { type Answer, type Embedder, resultCount, type SearchState } from '../../state/state.ts';
import { WordMatch } from '../matching/word-match.ts';
import { probes } from './probes.ts';

type Model = Pick<Embedder, 'kind' | 'embed'>;
type Hits = readonly Pick<SearchHit, 'cosine' | 'text'>[];

/** How near each hit is to the question, as a number that can be compared between questions. */
type ScoreHits = (query: string, hits: Hits) => Promise<readonly number[]>;

export interface Calibration {
  readonly scale: ClosenessScale;
  readonly scoreHits: ScoreHits;
}

const cosines: ScoreHits = async (_query, hits) => hits.map(({ cosine }) => cosine);

/** With word vectors, words are compared one by one. */
async function scoringOf(model: Model, found: readonly Hits[]): Promise<ScoreHits> {
  if (model.kind !== 'words') {
    return cosines;
  }
  const match = new WordMatch((words) => model.embed(words));
  await match.learn(found.flat().map(({ text }) => text));
  return (query, hits) =>
    match.scores(
      query,
      hits.map(({ text }) => text),
    );
}

export async function calibrate(
  index: Pick<SearchIndex, 'search'>,
  model: Model,
  signal?: AbortSignal,
): Promise<Calibration> {
  const found: Hits[] = [];
  for (const probe of probes) {
    // One after another, so that a question of the user waits for one of them at most.
    found.push(await index.search(probe, { k: resultCount, ...(signal && { signal }) }));
    signal?.throwIfAborted();
  }
  const scoreHits = await scoringOf(model, found);
  const scores: number[] = [];
  for (const [at, probe] of probes.entries()) {
    scores.push(Math.max(0, ...(await scoreHits(probe, found[at] ?? []))));
    signal?.throwIfAborted();
  }
  return { scale: scaleOf(scores), scoreHits };
}

interface Measured {
  readonly index: SearchIndex;
  readonly size: number;
  /** Null until it is measured. */
  readonly calibration: Calibration | null;
}

export function mountCalibration(store: Store<SearchState>): void {
  let measured: Measured | null = null;
  let running = new AbortController();

  const compare = async (answer: Answer, { scale, scoreHits }: Calibration): Promise<void> => {
    try {
      const scores = await scoreHits(answer.query, answer.hits);
      if (store.state.answer === answer) {
        store.update({ closeness: { answer, scores, scale } });
      }
    } catch {
      // The model is gone. Without closeness the page shows the scores alone.
    }
  };
  const measure = async (index: SearchIndex, model: Embedder): Promise<void> => {
    const { size } = index;
    running.abort();
    running = new AbortController();
    const { signal } = running;
    measured = { index, size, calibration: null };
    try {
      const calibration = await calibrate(index, model, signal);
      const { index: now, answer } = store.state;
      if (now !== index || signal.aborted) {
        return;
      }
      measured = { index, size, calibration };
      if (answer !== null) {
        void compare(answer, calibration);
      }
    } catch {
      // The index is gone, or its worker died.
    }
  };
  store.watch(['index', 'answer', 'job'], ({ index, answer: given, job, loaded }) => {
    // Hits by words have no cosine yet.
    const answer = given?.byWords ? null : given;
    if (measured !== null && measured.index !== index) {
      running.abort();
      measured = null;
      store.update({ closeness: null });
    }
    const isKnown = measured?.size === index?.size;
    if (
      index !== null &&
      loaded !== null &&
      answer !== null &&
      job === null &&
      index.size > 0 &&
      !isKnown
    ) {
      void measure(index, loaded.model);
    } else if (
      answer !== null &&
      measured?.calibration &&
      store.state.closeness?.answer !== answer
    ) {
      void compare(answer, measured.calibration);
    }
  });
}

// `ambry/vectors`: indexes of the caller's own vectors.
import { pagePlatform } from '../platform/page-platform.ts';
import { vectorsEntry } from './vectors-entry.ts';

export { AmbryError } from '../base/errors.ts';
export type { VectorIndex } from '../search/vectors/vector-index.ts';
export type * from './types.ts';

const page = pagePlatform({
  vectors: () =>
    new Worker(new URL('./workers/vectors-worker.js', import.meta.url), { type: 'module' }),
});

export const { createIndex, loadIndex, clusterVectors, projectVectors } = vectorsEntry(page);

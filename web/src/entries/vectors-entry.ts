import { checked } from '../base/call.ts';
import type { Platform } from '../platform/platform.ts';
import type {
  ClusterOptions,
  OpenVectorsOptions,
  ProjectionOptions,
  VectorClusters,
  VectorCollection,
  VectorIndexOptions,
  VectorMap,
} from '../search/vectors/types.ts';
import type { VectorIndex } from '../search/vectors/vector-index.ts';
import type { ModelSource } from '../sources/base/types.ts';

export interface VectorsEntry {
  readonly createVectorIndex: (
    collection: VectorCollection,
    options?: VectorIndexOptions,
  ) => Promise<VectorIndex>;
  readonly openVectorIndex: (
    source: ModelSource,
    options?: OpenVectorsOptions,
  ) => Promise<VectorIndex>;
  /**
   * Groups vectors by k-means: each belongs to the nearest of `count` centroids. Equal vectors give equal groups.
   *
   * @example
   * import { clusterVectors } from 'ambry/vectors';
   *
   * const vectors = new Float32Array([1, 0, 0.9, 0.1, 0, 1]);
   * const { centroids, members } = await clusterVectors(vectors, { dim: 2, count: 2 });
   */
  readonly clusterVectors: (
    vectors: Float32Array,
    options: ClusterOptions,
  ) => Promise<VectorClusters>;
  /**
   * Makes a map of vectors: a point of a plane for each, so that vectors of nearly the same direction are close together.
   * Equal vectors give equal maps. At most 100,000 vectors.
   *
   * @example
   * import { projectVectors } from 'ambry/vectors';
   *
   * const vectors = new Float32Array([1, 0, 0.9, 0.1, 0, 1, 0.1, 0.9]);
   * const { positions, place } = await projectVectors(vectors, { dim: 2 });
   * const [x, y] = place(new Float32Array([1, 0.05]));
   */
  readonly projectVectors: (
    vectors: Float32Array,
    options: ProjectionOptions,
  ) => Promise<VectorMap>;
}

// What is imported at once by an entry would be in the file that all pages fetch.
const client = () => import('../search/vectors/client.ts');

export function vectorsEntry(platform: Platform): VectorsEntry {
  return {
    createVectorIndex: checked(async (collection, options = {}) =>
      (await client()).createVectorIndex(platform, collection, options),
    ),
    openVectorIndex: checked(async (source, options = {}) =>
      (await client()).openVectorIndex(platform, source, options),
    ),
    clusterVectors: checked(async (vectors, options) =>
      (await client()).clusterVectors(platform, vectors, options),
    ),
    projectVectors: checked(async (vectors, options) =>
      (await client()).projectVectors(platform, vectors, options),
    ),
  };
}

// Own vectors: options and results.

import type { RuntimeOptions } from '../../platform/types.ts';
import type { JobOptions } from '../../rpc/types.ts';
import type { FetchOptions } from '../../sources/base/types.ts';
import type { VectorStorage } from '../base/types.ts';

export type VectorId = string | number;

/** Vectors of the caller, which may come from any model. */
export interface VectorCollection {
  /** The vectors one after another, or blocks of them, each of whole vectors. They are scaled to length 1. */
  readonly vectors: Float32Array | Iterable<Float32Array> | AsyncIterable<Float32Array>;
  /** One for each vector. The positions, from 0 on, when absent. */
  readonly ids?: readonly VectorId[];
  /** The length of a vector. It may be absent for one array with `ids`. */
  readonly dim?: number;
}

export interface VectorIndexOptions extends JobOptions, RuntimeOptions {
  /** How vectors are kept. int8 when absent. */
  readonly vectors?: VectorStorage;
  /** The share of the ten nearest vectors that a search should find; 0.95 when absent. */
  readonly recall?: number;
  /** The number of lists into which the vectors are sorted. 0 compares a query with all vectors. Chosen by the number of
   *  vectors when absent; fewer than 10,000 have no lists. */
  readonly lists?: number;
}

export interface OpenVectorsOptions extends JobOptions, RuntimeOptions, FetchOptions {
  /** The bytes of the file that are kept in memory, besides the centroids of the lists; 64 MB when absent. */
  readonly memory?: number;
}

export interface VectorSearchOptions {
  /** Number of hits; 10 when absent. */
  readonly k?: number;
  /** The number of lists that are read: more find more. What was measured when the index was made, when absent. */
  readonly probes?: number;
  /** The number of vectors that are compared exactly, for each ten hits. What was measured, when absent. */
  readonly candidates?: number;
  /** Finds only vectors with these ids. More lists are then read than without. */
  readonly filter?: ReadonlySet<VectorId> | readonly VectorId[];
  readonly signal?: AbortSignal;
}

export interface VectorHit {
  readonly id: VectorId;
  /** The cosine with the vector as it is kept, −1 to 1 but for the rounding of int8. */
  readonly score: number;
}

/** What a search with the index's own settings finds and reads, as it was measured with some of its vectors, which took no
 *  part in the choice of lists. */
export interface MeasuredSearch {
  /** The share of the ten nearest vectors that was found. 1 without lists. */
  readonly recall: number;
  /** The share of the vectors that are in the lists that were read. 1 without lists. */
  readonly share: number;
  /** The number of vectors that were searched for. 0 without lists. */
  readonly queries: number;
  readonly lists: number;
  readonly probes: number;
  readonly candidates: number;
  /** What the caller should know: recall is lower than asked for, or more than a tenth of the vectors is read. */
  readonly note?: string;
}

export interface ClusterOptions extends JobOptions, RuntimeOptions {
  readonly dim: number;
  /** The number of groups. */
  readonly count: number;
}

export interface ProjectionOptions extends JobOptions, RuntimeOptions {
  readonly dim: number;
}

/** A map of vectors: a point of a plane for each, so that vectors of nearly the same direction are close together. */
export interface VectorMap {
  /** x and y of each vector. Their mean is 0, the mean of their squared distances from there is 1, and x varies most. */
  readonly positions: Float32Array<ArrayBuffer>;
  /** x and y of further vectors, such as a query: between the points of the vectors that are nearest to them. */
  place(vectors: Float32Array): Float32Array<ArrayBuffer>;
}

export interface VectorClusters {
  /** `count` vectors of `dim` numbers. */
  readonly centroids: Float32Array<ArrayBuffer>;
  /** The centroid of each vector. */
  readonly members: Uint32Array<ArrayBuffer>;
}

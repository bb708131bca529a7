// The calls of a worker for own vectors.
import type { WireSource } from '../../sources/base/wire.ts';
import type { MeasuredSearch, VectorClusters, VectorId } from './types.ts';

/** The JSON in the head of a file. */
export interface VectorsHeader {
  readonly version: 1;
  /** Whether the file has ids. */
  readonly ids: boolean;
  readonly measured: MeasuredSearch;
}

export interface VectorFacts {
  readonly dim: number;
  readonly size: number;
  readonly int8: boolean;
  readonly measured: MeasuredSearch;
}

export interface FoundVector {
  readonly position: number;
  readonly score: number;
  /** The id, in a file that has ids. */
  readonly id?: VectorId;
}

export interface VectorQueries {
  /** One after another. */
  readonly queries: Float32Array;
  readonly k: number;
  /** 0 compares all vectors. */
  readonly probes: number;
  readonly candidates: number;
  /** A byte for each position; 0 leaves it out. Of an index in memory. */
  readonly marks?: Uint8Array | undefined;
  /** The ids that may be found. Of a file. */
  readonly only?: ReadonlySet<VectorId> | undefined;
}

/** The order of the rows in the file. */
export interface RowOrder {
  /** The position of each row. */
  readonly positions: Uint32Array<ArrayBuffer>;
  /** The first row of each list, and the number of rows. */
  readonly begins: Uint32Array<ArrayBuffer>;
}

/** The ids of all lists, one list after another. */
export interface WrittenIds {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sizes: Uint32Array<ArrayBuffer>;
  readonly crcs: Uint32Array<ArrayBuffer>;
}

export type VectorCalls = {
  createVectors: { in: { dim: number; int8: boolean }; out: null };
  /** Appends vectors and returns the new number. */
  appendVectors: { in: { vectors: Float32Array<ArrayBuffer> }; out: number };
  /** Makes the lists. No vectors can be added afterwards. */
  buildVectors: { in: { lists?: number | undefined; recall: number }; out: MeasuredSearch };
  openVectorFile: { in: { source: WireSource; memory: number }; out: VectorFacts };
  searchVectors: { in: VectorQueries; out: readonly (readonly FoundVector[])[] };
  vectorOrder: { in: null; out: RowOrder };
  writeVectors: { in: { header: Uint8Array; ids?: WrittenIds | undefined }; out: Blob };
  clusterVectors: {
    in: { vectors: Float32Array; dim: number; count: number };
    out: VectorClusters;
  };
  /** x and y of each vector. */
  projectVectors: { in: { vectors: Float32Array; dim: number }; out: Float32Array<ArrayBuffer> };
};

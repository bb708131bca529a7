// The calls of a worker for a search index.
import type { WireSource } from '../sources/wire.ts';

/** The facts in an index file. */
export interface IndexFacts {
  readonly dim: number;
  readonly size: number;
  readonly int8: boolean;
  readonly version: number;
  readonly headerOffset: number;
  /** The data that the client stores beside the vectors. */
  readonly header: Uint8Array<ArrayBuffer>;
}

export interface RowHit {
  readonly row: number;
  /** The score without the bias. */
  readonly score: number;
}

export type IndexCalls = {
  createIndex: { in: { dim: number; int8: boolean }; out: null };
  readIndex: { in: { source: WireSource }; out: IndexFacts };
  /** Appends rows and returns the new number of rows. */
  appendRows: { in: { rows: Float32Array<ArrayBuffer> }; out: number };
  /** Removes the rows whose mark is 0 and returns the number of rows that are left. */
  retainRows: { in: { marks: Uint8Array }; out: number };
  /** Ranks by score plus bias. A bias of -Infinity leaves a row out. */
  searchRows: {
    in: { query: Float32Array; k: number; bias?: Float32Array | undefined };
    out: readonly RowHit[];
  };
  writeIndex: { in: { header: Uint8Array }; out: Blob };
};

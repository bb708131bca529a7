// The calls of a worker for a search index.
import type { WireSource } from '../../sources/base/wire.ts';

/** The facts in an index file. */
export interface IndexFacts {
  readonly dim: number;
  readonly size: number;
  readonly int8: boolean;
  readonly version: number;
  readonly headerOffset: number;
  /** How many vectors an index with one for each token has. `size` counts the passages. */
  readonly rows?: number;
  /** The weights of an index of sparse vectors alone. `dim` is the size of the vocabulary then. */
  readonly weights?: number;
  /** The size of the vocabulary, where there are sparse vectors beside the others. */
  readonly words?: number;
  /** The data that the client stores beside the vectors. */
  readonly header: Uint8Array<ArrayBuffer>;
}

export interface RowHit {
  readonly row: number;
  /** The score without the bias. */
  readonly score: number;
  /** Hits of sparse vectors have it. */
  readonly cosine?: number;
  /** With sparse vectors beside the others: their score, and all that was added to the score of the others. */
  readonly sparse?: number;
  readonly lift?: number;
}

export interface IndexForm {
  readonly dim: number;
  readonly int8: boolean;
  /** Whether a passage has a vector for each of its tokens. */
  readonly tokens?: boolean;
  /** The size of the vocabulary of sparse vectors. They are beside others, unless `dim` is 0. */
  readonly words?: number | undefined;
}

/** The vectors of some passages, one after another. */
export interface RowPart {
  /** Sparse vectors are pairs of the id of a word and its weight. */
  readonly rows: Float32Array<ArrayBuffer>;
  /** How many vectors each passage has, in an index with a vector for each token; or how many pairs its sparse vector has. */
  readonly lengths?: Uint32Array<ArrayBuffer>;
  readonly sparse?: true;
}

export type IndexCalls = {
  createIndex: { in: IndexForm; out: null };
  readIndex: { in: { source: WireSource }; out: IndexFacts };
  /** Appends rows and returns the new number of passages. */
  appendRows: { in: RowPart; out: number };
  /** Removes the passages whose mark is 0 and returns the number of those that are left. */
  retainRows: { in: { marks: Uint8Array }; out: number };
  /** Ranks by score plus bias, a number for each passage. A bias of -Infinity leaves it out. `query` has one vector, or
   *  in an index with a vector for each token one or more. With sparse vectors beside the others, `sparse` has those of the
   *  query, and what the best sparse score adds to a score. */
  searchRows: {
    in: {
      query: Float32Array;
      k: number;
      bias?: Float32Array | undefined;
      sparse?: { readonly query: Float32Array; readonly weight: number } | undefined;
    };
    out: readonly RowHit[];
  };
  writeIndex: { in: { header: Uint8Array }; out: Blob };
};

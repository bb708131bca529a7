import type { AnyIndex, HeapRange, IndexReader, OutcomeText, VectorIndex } from './types.mjs';

/** Indexes of vectors: made, searched, saved and read back. What takes `AnyIndex` serves indexes of documents, too: what is
 *  said of a row is then so of a document. */
export interface IndexBindings {
  /** An empty index of vectors of `dim` numbers, kept as bytes with a scale each, or as floats. */
  createIndex(dim: number, asBytes: boolean): OutcomeText<VectorIndex>;
  /** An index file of `size` bytes. */
  openIndex(size: number): OutcomeText<IndexReader>;
  finishIndex(reader: IndexReader): OutcomeText<VectorIndex>;
  /** `version` and `headerOffset` are those of the file that it was read from, as the header is: until it
   *  changes. `rows` is there for an index of documents, which `size` counts, and `weights` for one of sparse vectors. */
  indexFacts(index: AnyIndex): OutcomeText<{
    dim: number;
    size: number;
    int8: boolean;
    version: number;
    headerOffset: number;
    rows?: number;
    weights?: number;
  }>;
  /** Appends rows, the bytes of little-endian f32, and says how many there are then. */
  append(index: VectorIndex, rows: Uint8Array): OutcomeText<number>;
  /** Drops the rows whose mark is 0, a byte a row, and says how many there are then. */
  retain(index: AnyIndex, marks: Uint8Array): OutcomeText<number>;
  /**
   * The highest score + bias first, ties by row; query and bias are the bytes of f32. The bias may be empty; a
   * row whose bias is -Infinity is left out. The query of an index of documents is one vector or more,
   * and that of sparse vectors is pairs. Their hits have `cosine`.
   */
  search(
    index: AnyIndex,
    query: Uint8Array,
    bias: Uint8Array,
    k: number,
  ): OutcomeText<{ row: number; score: number; cosine?: number }[]>;
  /** The whole index file in three pieces, valid until the next call; `header` is kept with it. */
  save(index: AnyIndex, header: Uint8Array): OutcomeText<HeapRange[]>;
}

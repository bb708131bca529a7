import type { HeapRange, IndexReader, OutcomeText, SparseDocuments } from './types.mjs';

/** Indexes of documents with sparse vectors. A vector is pairs of little-endian f32: the id of a word, and its weight. */
export interface SparseBindings {
  /** An empty index for a vocabulary of `dim` words. */
  createSparse(dim: number): OutcomeText<SparseDocuments>;
  finishSparse(reader: IndexReader): OutcomeText<SparseDocuments>;
  /** Appends documents: their pairs, and how many each has, as u32. Says how many documents there are then. */
  appendSparse(index: SparseDocuments, pairs: Uint8Array, lengths: Uint8Array): OutcomeText<number>;
  /** f64: the score of every document, valid until the next call. */
  scoreSparse(index: SparseDocuments, query: Uint8Array): OutcomeText<HeapRange>;
}

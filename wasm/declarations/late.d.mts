import type { DocumentIndex, HeapRange, IndexReader, OutcomeText, TokenJob } from './types.mjs';

/** Late interaction: token vectors, scores by MaxSim, and indexes of documents with many vectors. */
export interface LateBindings {
  /** f32: the score of each document. Both jobs must be done, and of the same model. */
  scoreDocuments(documents: TokenJob, query: TokenJob): OutcomeText<HeapRange>;

  /** An empty index of vectors of `dim` numbers, kept as bytes with a scale each, or as floats. */
  createDocuments(dim: number, asBytes: boolean): OutcomeText<DocumentIndex>;
  finishDocuments(reader: IndexReader): OutcomeText<DocumentIndex>;
  /** Appends documents: the bytes of their rows, little-endian f32, and of the number of rows of each, u32. Says how many
   *  documents there are then. */
  appendDocuments(index: DocumentIndex, rows: Uint8Array, lengths: Uint8Array): OutcomeText<number>;
}

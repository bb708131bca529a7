import type {
  DocumentIndex,
  EncoderModel,
  HeapRange,
  IndexReader,
  OutcomeText,
  TokenJob,
} from './types.mjs';

/** Late interaction: token vectors, scores by MaxSim, and indexes of documents with many vectors. */
export interface LateBindings {
  /** `options` is JSON {as, list, first, truncate, prompt, promptName, instruction}. */
  beginTokens(model: EncoderModel, options: string): OutcomeText<TokenJob>;
  /** f32: the score of each document. Both jobs must be done, and of the same model. */
  scoreDocuments(documents: TokenJob, query: TokenJob): OutcomeText<HeapRange>;

  /** An empty index of vectors of `dim` numbers, kept as bytes with a scale each, or as floats. */
  createDocuments(dim: number, asBytes: boolean): OutcomeText<DocumentIndex>;
  finishDocuments(reader: IndexReader): OutcomeText<DocumentIndex>;
  /** As those of an index of rows; `size` counts the documents, and `rows` their vectors. */
  documentFacts(index: DocumentIndex): OutcomeText<{
    dim: number;
    size: number;
    int8: boolean;
    version: number;
    headerOffset: number;
    rows: number;
  }>;
  /** The bytes that were saved with it. */
  documentHeader(index: DocumentIndex): OutcomeText<HeapRange>;
  /** Appends documents: the bytes of their rows, little-endian f32, and of the number of rows of each, u32. Says how many
   *  documents there are then. */
  appendDocuments(index: DocumentIndex, rows: Uint8Array, lengths: Uint8Array): OutcomeText<number>;
  /** Drops the documents whose mark is 0, a byte a document, and says how many there are then. */
  retainDocuments(index: DocumentIndex, marks: Uint8Array): OutcomeText<number>;
  /** The highest score + bias first, ties by document, which `row` counts; the query is one vector or more, and the bias
   *  has a number for each document. */
  searchDocuments(
    index: DocumentIndex,
    query: Uint8Array,
    bias: Uint8Array,
    k: number,
  ): OutcomeText<{ row: number; score: number }[]>;
  /** The whole index file in three pieces, valid until the next call; `header` is kept with it. */
  saveDocuments(index: DocumentIndex, header: Uint8Array): OutcomeText<HeapRange[]>;
}

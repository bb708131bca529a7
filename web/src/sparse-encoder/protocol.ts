// The calls of a worker for a sparse encoder.
import type { OpenCalls } from '../model/protocol.ts';
import type { TokenCalls } from '../tokenizer/protocol.ts';
import type { EmbedSparseOptions } from './types.ts';

export interface SparseInput {
  readonly texts: readonly string[];
  readonly settings: Pick<EmbedSparseOptions, 'as' | 'k' | 'truncate'>;
  readonly words: boolean;
}

/** The vectors of all texts, one after another. */
export interface SparseRows {
  /** How many words each text has. */
  readonly counts: Uint32Array<ArrayBuffer>;
  readonly ids: Uint32Array<ArrayBuffer>;
  readonly weights: Float32Array<ArrayBuffer>;
  readonly words: readonly string[] | undefined;
}

export type SparseOnlyCalls = { embedSparse: { in: SparseInput; out: SparseRows } };

export type SparseCalls = OpenCalls & TokenCalls & SparseOnlyCalls;

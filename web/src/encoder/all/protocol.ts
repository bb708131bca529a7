// The call of models that give all outputs of a text in one pass.
import type { Embedded } from '../../model/embedding.ts';
import type { SparseRows } from '../../sparse-encoder/protocol.ts';
import type { EmbedAllOptions } from './types.ts';

export interface AllInput {
  readonly texts: readonly string[];
  readonly settings: Omit<EmbedAllOptions, 'signal' | 'onProgress' | 'words'>;
  readonly words: boolean;
}

/** What is wanted of all texts. */
export interface AllRows {
  readonly dense: Embedded | undefined;
  readonly sparse: SparseRows | undefined;
  readonly tokens: Embedded | undefined;
}

export type AllOutputsCalls = { embedAll: { in: AllInput; out: AllRows } };

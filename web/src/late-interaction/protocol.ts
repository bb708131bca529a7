// The calls of a worker for models with late interaction, besides those of an encoder.
import type { Embedded } from '../model/embedding.ts';
import type { RankOptions } from '../reranker/types.ts';
import type { EmbedTokensOptions } from './types.ts';

export interface TokensInput {
  readonly texts: readonly string[];
  readonly settings: Pick<EmbedTokensOptions, 'as' | 'truncate' | 'prompt'>;
}

export interface RankInput {
  readonly query: string;
  readonly documents: readonly string[];
  readonly settings: Pick<RankOptions, 'truncate'>;
}

export type LateCalls = {
  /** A row for each token of each text. */
  embedTokens: { in: TokensInput; out: Embedded };
  /** The score of each document by MaxSim. */
  rankTokens: { in: RankInput; out: Float32Array<ArrayBuffer> };
};

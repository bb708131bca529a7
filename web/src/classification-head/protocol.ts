// The calls of a worker for an encoder with a classification head: those of a tokenizer, and scoring.
import type { OpenCalls } from '../model/protocol.ts';
import type { TokenCalls } from '../tokenizer/protocol.ts';
import type { ScoreOptions, TextPair } from './types.ts';

export interface ScoreInput {
  readonly inputs: readonly (string | TextPair)[];
  readonly settings: Pick<ScoreOptions, 'truncate'> & {
    /** What errors call the inputs. */
    readonly list: 'texts' | 'pairs' | 'documents';
  };
}

/** A number for each label of each input, one input after another. */
export type Logits = Float32Array<ArrayBuffer>;

export type ScoreCalls = { score: { in: ScoreInput; out: Logits } };

export type HeadCalls = OpenCalls & TokenCalls & ScoreCalls;

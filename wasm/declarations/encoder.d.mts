import type { OutcomeText, TextJob } from './types.mjs';

/** Sentence encoders: embedding, and scoring with a classification head. */
export interface EncoderBindings {
  /** Adds a pair of texts to a job that reads pairs. */
  addPair(job: TextJob, first: Uint8Array, second: Uint8Array): OutcomeText<null>;
}

import type { EmbedJob, EncoderModel, OutcomeText, ScoreJob, TextJob } from './types.mjs';

/** Sentence encoders: embedding, and scoring with a classification head. */
export interface EncoderBindings {
  /** `options` is JSON of EmbedOptions without signal and onProgress. */
  beginEmbed(model: EncoderModel, options: string): OutcomeText<EmbedJob>;
  /** `options` is JSON {truncate, list}. The texts are texts and pairs; a row has the logits of all labels. */
  beginScore(model: EncoderModel, options: string): OutcomeText<ScoreJob>;
  /** Adds a pair of texts to a job that reads pairs. */
  addPair(job: TextJob, first: Uint8Array, second: Uint8Array): OutcomeText<null>;
}

import type { DistillJob, EncoderModel, OutcomeText } from './types.mjs';

/** Distillation: a loaded encoder becomes the file of a static one. */
export interface DistillBindings {
  /** `options` is JSON {dim, sif, dtype, vocabSize, modelName, createdAt}. Then countTokens() every text whose tokens
   *  are to be counted, startDistill(), and stepDistill() until it is done. Its bytes are then those of the file. */
  beginDistill(model: EncoderModel, options: string): OutcomeText<DistillJob>;
  countTokens(job: DistillJob, text: Uint8Array): OutcomeText<null>;
  startDistill(job: DistillJob): OutcomeText<null>;
  /** `progress` is in thousandths. */
  stepDistill(job: DistillJob): OutcomeText<{ done: boolean; progress: number }>;
}

import type { OutcomeText, StaticEmbedJob, StaticEncoderModel } from './types.mjs';

/** Static encoders: embedding, as EncoderBindings does. */
export interface StaticBindings {
  /** `options` is JSON of EmbedOptions without signal and onProgress. */
  beginStaticEmbed(model: StaticEncoderModel, options: string): OutcomeText<StaticEmbedJob>;
}

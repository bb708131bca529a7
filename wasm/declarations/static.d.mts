import type {
  EmbeddedRows,
  OutcomeText,
  PartialSource,
  StaticEmbedJob,
  StaticLoader,
  StaticSession,
} from './types.mjs';

/** Static encoders, with the calls of EncoderBindings under other names, so that a module can have both. */
export interface StaticBindings {
  beginStaticLoad(source: PartialSource, weights: string): OutcomeText<StaticLoader>;
  finishStaticLoad(loader: StaticLoader): OutcomeText<StaticSession>;
  /** `info` is a FileInfo; `weightBytes` are those of heap that the weights take. */
  staticFacts(session: StaticSession): OutcomeText<{ info: unknown; weightBytes: number }>;

  /** Tokens. `pair` is empty bytes with hasPair false when there is none. */
  tokenizeStatic(
    session: StaticSession,
    text: Uint8Array,
    special: boolean,
    hasPair: boolean,
    pair: Uint8Array,
  ): OutcomeText<unknown>;
  /** `ids` is a JSON array of numbers. */
  detokenizeStatic(session: StaticSession, ids: string, skipSpecial: boolean): OutcomeText<string>;

  /** `options` is JSON of EmbedOptions without signal and onProgress. */
  beginStaticEmbed(session: StaticSession, options: string): OutcomeText<StaticEmbedJob>;
  addStaticText(job: StaticEmbedJob, text: Uint8Array): OutcomeText<null>;
  startStaticEmbed(job: StaticEmbedJob): OutcomeText<null>;
  /** Embeds some texts. */
  stepStaticEmbed(job: StaticEmbedJob): OutcomeText<{ done: boolean; doneTexts: number }>;
  staticEmbedded(job: StaticEmbedJob): OutcomeText<EmbeddedRows>;
}

import type {
  EmbeddedRows,
  EmbedJob,
  EncoderLoader,
  EncoderSession,
  OutcomeText,
  PartialSource,
  Tokenizer,
} from './types.mjs';

/** Sentence encoders: loading one, its tokenizer, embedding. */
export interface EncoderBindings {
  beginLoad(source: PartialSource, weights: string): OutcomeText<EncoderLoader>;
  finishLoad(loader: EncoderLoader): OutcomeText<EncoderSession>;
  /** `info` is a FileInfo; `weightBytes` are those of heap that the weights take. */
  sessionFacts(session: EncoderSession): OutcomeText<{ info: unknown; weightBytes: number }>;
  sessionTokenizer(session: EncoderSession): OutcomeText<Tokenizer>;

  /** Tokens. `pair` is empty bytes with hasPair false when there is none. */
  tokenize(
    tokenizer: Tokenizer,
    text: Uint8Array,
    special: boolean,
    hasPair: boolean,
    pair: Uint8Array,
  ): OutcomeText<unknown>;
  /** `ids` is a JSON array of numbers; special tokens are left out of the text when `skipSpecial`. */
  detokenize(tokenizer: Tokenizer, ids: string, skipSpecial: boolean): OutcomeText<string>;

  /** `options` is JSON of EmbedOptions without signal and onProgress. Then addText() every text,
   *  startEmbed(), and stepEmbed() until it is done; the rows come in the order of the texts. */
  beginEmbed(session: EncoderSession, options: string): OutcomeText<EmbedJob>;
  addText(job: EmbedJob, text: Uint8Array): OutcomeText<null>;
  startEmbed(job: EmbedJob): OutcomeText<null>;
  /** Runs one batch. */
  stepEmbed(job: EmbedJob): OutcomeText<{ done: boolean; doneTexts: number }>;
  embedded(job: EmbedJob): OutcomeText<EmbeddedRows>;
}

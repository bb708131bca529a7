import type {
  EmbeddedRows,
  EmbedJob,
  EncoderLoader,
  EncoderSession,
  HeapRange,
  OutcomeText,
  PartialSource,
  ScoreJob,
  Tokenizer,
} from './types.mjs';

/** Sentence encoders: loading one, its tokenizer, embedding, and scoring with a classification head. */
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

  /** `options` is JSON {truncate, list}. Then addScoreText() or addScorePair() for every input, startScore(), and
   *  stepScore() until it is done. */
  beginScore(session: EncoderSession, options: string): OutcomeText<ScoreJob>;
  addScoreText(job: ScoreJob, text: Uint8Array): OutcomeText<null>;
  addScorePair(job: ScoreJob, first: Uint8Array, second: Uint8Array): OutcomeText<null>;
  startScore(job: ScoreJob): OutcomeText<null>;
  /** Runs one batch. */
  stepScore(job: ScoreJob): OutcomeText<{ done: boolean; doneTexts: number }>;
  /** f32: a row of one for each label of each input. */
  scoreLogits(job: ScoreJob): OutcomeText<HeapRange>;
}

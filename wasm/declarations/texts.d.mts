import type {
  EmbedJob,
  EncoderModel,
  GeneratorModel,
  OutcomeText,
  PredictJob,
  PromptScoreJob,
  ScoreJob,
  SentenceJob,
  SparseJob,
  StaticEmbedJob,
  StaticEncoderModel,
  TextClassifierModel,
  TextEmbeddingJob,
  TextJob,
  TextRows,
  TokenJob,
  TokenRowsJob,
  WordsModel,
} from './types.mjs';

/** Jobs over texts: `beginTexts`, `addText` every text, `startTexts`, and `stepTexts` until it is done. The rows come in the
 *  order of the texts. A module runs the kinds of jobs of which it has the bindings; all options are JSON. */
export interface TextsBindings {
  /** `options` are EmbedOptions without signal and onProgress. */
  beginTexts(kind: 'embed', model: EncoderModel, options: string): OutcomeText<EmbedJob>;
  beginTexts(
    kind: 'staticEmbed',
    model: StaticEncoderModel,
    options: string,
  ): OutcomeText<StaticEmbedJob>;
  /** `options` is {truncate, list}. The texts are texts and pairs; a row has the logits of all labels. */
  beginTexts(kind: 'score', model: EncoderModel, options: string): OutcomeText<ScoreJob>;
  /** `options` is {as, list, first, truncate, prompt, promptName, instruction}. The rows are those of tokens. */
  beginTexts(kind: 'tokens', model: EncoderModel, options: string): OutcomeText<TokenJob>;
  /** `options` is {list, overlap, window, rows: all | masks}. The second text of a pair may be cut into windows. */
  beginTexts(kind: 'tokenRows', model: EncoderModel, options: string): OutcomeText<TokenRowsJob>;
  /** `options` is {as: query | document, k, truncate: end | error, list}. The rows are the weights of words. */
  beginTexts(kind: 'sparse', model: EncoderModel, options: string): OutcomeText<SparseJob>;
  beginTexts(kind: 'sentences', model: WordsModel, options: string): OutcomeText<SentenceJob>;
  /** The rows are the probabilities: a number for each label that is predicted. */
  beginTexts(kind: 'predict', model: TextClassifierModel, options: string): OutcomeText<PredictJob>;
  /** `options` are EmbedOptions without signal, workers and onProgress. */
  beginTexts(
    kind: 'textEmbedding',
    model: GeneratorModel,
    options: string,
  ): OutcomeText<TextEmbeddingJob>;
  /** `options` is {prompts: [{parts, tail, lead}], list, truncate}. The prompts are in it: a row for each, of what the
   *  model gives to the one or two tokens by which it ranks. */
  beginTexts(
    kind: 'promptScores',
    model: GeneratorModel,
    options: string,
  ): OutcomeText<PromptScoreJob>;

  addText(job: TextJob, text: Uint8Array): OutcomeText<null>;
  startTexts(job: TextJob): OutcomeText<null>;
  /** Does some of the work. `part` is not null when tensors of this part of a model must be given first (`roomFor`). */
  stepTexts(job: TextJob): OutcomeText<{ done: boolean; doneTexts: number; part: number | null }>;
  rowsOfTexts(job: TextJob): OutcomeText<TextRows>;
}

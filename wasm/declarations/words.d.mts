import type {
  AccuracyJob,
  CodeLoader,
  HeapRange,
  OutcomeText,
  SentenceJob,
  WordBatch,
  WordsModel,
} from './types.mjs';

/** Word vectors. Words and texts are UTF-8; `options` and lists of words are JSON. */
export interface WordsBindings {
  wordVectors(model: WordsModel, words: string, unnormalized: boolean): OutcomeText<WordBatch>;
  /** Rows and norms as f32; `found` a byte each: 0 none, 1 known, 2 by subwords. */
  wordBatch(batch: WordBatch): OutcomeText<{ rows: HeapRange; norms: HeapRange; found: HeapRange }>;
  /** A WordExplanation. */
  explainWord(model: WordsModel, word: Uint8Array): OutcomeText<unknown>;
  similarWords(
    model: WordsModel,
    word: Uint8Array,
    options: string,
  ): OutcomeText<{ word: string; score: number }[]>;
  /** The vector as the bytes of f32. */
  wordsSimilarTo(
    model: WordsModel,
    vector: Uint8Array,
    options: string,
  ): OutcomeText<{ word: string; score: number }[]>;
  analogy(
    model: WordsModel,
    a: Uint8Array,
    b: Uint8Array,
    c: Uint8Array,
    options: string,
  ): OutcomeText<{ word: string; score: number }[]>;
  listWords(model: WordsModel, offset: number, limit: number): OutcomeText<string[]>;

  /** Offsets and sizes in the file of what vectors of these words need and is not held. */
  missingRows(model: WordsModel, words: string): OutcomeText<[number, number][]>;
  supplyRows(model: WordsModel, offset: number, bytes: Uint8Array): OutcomeText<null>;
  /** Fill it as a ByteSink. */
  beginCodes(model: WordsModel): OutcomeText<CodeLoader>;

  beginAccuracy(model: WordsModel): OutcomeText<AccuracyJob>;
  addQuestions(job: AccuracyJob, text: Uint8Array): OutcomeText<null>;
  stepAccuracy(job: AccuracyJob): OutcomeText<{ done: boolean; asked: number; total: number }>;
  /** An AccuracyReport. */
  accuracyReport(job: AccuracyJob): OutcomeText<unknown>;

  /** What the next step of a job needs of the file. */
  missingOfSentences(job: SentenceJob): OutcomeText<[number, number][]>;
}

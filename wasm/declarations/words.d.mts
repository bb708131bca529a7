import type {
  AccuracyJob,
  CodeLoader,
  EmbeddedRows,
  HeapRange,
  OutcomeText,
  PartialSource,
  SentenceJob,
  WordBatch,
  WordsLoader,
  WordsSession,
} from './types.mjs';

/** Word vectors. Words and texts are UTF-8; `options` and lists of words are JSON. */
export interface WordsBindings {
  /** Fill it as a ByteSink. */
  beginWords(source: PartialSource): OutcomeText<WordsLoader>;
  finishWords(loader: WordsLoader): OutcomeText<WordsSession>;
  /** Holds everything but the rows. */
  openRanged(source: PartialSource): OutcomeText<WordsSession>;
  /** `info` is a FileInfo with WordsInfo. */
  wordsFacts(session: WordsSession): OutcomeText<{ info: unknown; weightBytes: number }>;

  wordVectors(session: WordsSession, words: string, unnormalized: boolean): OutcomeText<WordBatch>;
  /** Rows and norms as f32; `found` a byte each: 0 none, 1 known, 2 by subwords. */
  wordBatch(batch: WordBatch): OutcomeText<{ rows: HeapRange; norms: HeapRange; found: HeapRange }>;
  /** A WordExplanation. */
  explainWord(session: WordsSession, word: Uint8Array): OutcomeText<unknown>;
  similarWords(
    session: WordsSession,
    word: Uint8Array,
    options: string,
  ): OutcomeText<{ word: string; score: number }[]>;
  /** The vector as the bytes of f32. */
  wordsSimilarTo(
    session: WordsSession,
    vector: Uint8Array,
    options: string,
  ): OutcomeText<{ word: string; score: number }[]>;
  analogy(
    session: WordsSession,
    a: Uint8Array,
    b: Uint8Array,
    c: Uint8Array,
    options: string,
  ): OutcomeText<{ word: string; score: number }[]>;
  listWords(session: WordsSession, offset: number, limit: number): OutcomeText<string[]>;

  /** Offsets and sizes in the file of what vectors of these words need and is not held. */
  missingRows(session: WordsSession, words: string): OutcomeText<[number, number][]>;
  supplyRows(session: WordsSession, offset: number, bytes: Uint8Array): OutcomeText<null>;
  /** Fill it as a ByteSink. */
  beginCodes(session: WordsSession): OutcomeText<CodeLoader>;

  beginAccuracy(session: WordsSession): OutcomeText<AccuracyJob>;
  addQuestions(job: AccuracyJob, text: Uint8Array): OutcomeText<null>;
  stepAccuracy(job: AccuracyJob): OutcomeText<{ done: boolean; asked: number; total: number }>;
  /** An AccuracyReport. */
  accuracyReport(job: AccuracyJob): OutcomeText<unknown>;

  /** As beginEmbed to embedded, with what a step needs of the file before it. */
  beginSentences(session: WordsSession, options: string): OutcomeText<SentenceJob>;
  addSentence(job: SentenceJob, text: Uint8Array): OutcomeText<null>;
  startSentences(job: SentenceJob): OutcomeText<null>;
  missingOfSentences(job: SentenceJob): OutcomeText<[number, number][]>;
  stepSentences(job: SentenceJob): OutcomeText<{ done: boolean; doneTexts: number }>;
  sentences(job: SentenceJob): OutcomeText<EmbeddedRows>;
}

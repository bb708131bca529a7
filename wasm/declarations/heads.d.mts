import type {
  EmbedJob,
  HeapRange,
  OutcomeText,
  SparseJob,
  TokenJob,
  TokenRowsJob,
} from './types.mjs';

/** The windows in which texts were read. All are u32. */
export interface TokenWindows {
  /** The number of the input of each window. */
  inputs: HeapRange;
  /** How many tokens each window has. */
  counts: HeapRange;
  /** Four numbers for each token of each window: id, begin and end in UTF-16 units, flags. */
  tokens: HeapRange;
}

/** Heads that every token passes: token classification, question answering, masked language models, sparse encoders. And jobs that
 *  run together. */
export interface HeadsBindings {
  /** The windows of a job that has started. `rowsOfTexts` gives the rows of each window. */
  tokenWindows(job: TokenRowsJob): OutcomeText<TokenWindows>;

  /** The texts of the words of a job that is done. */
  sparseWords(job: SparseJob): OutcomeText<string[]>;

  /** For jobs of one model that run in one pass, which have not started: the first has the texts, and 0 stands for an absent one. */
  startTogether(texts: EmbedJob, words: SparseJob | 0, tokens: TokenJob | 0): OutcomeText<null>;
  /** Runs one batch, and says how many texts are done. Each job has its rows after the last one. */
  stepTogether(texts: EmbedJob, words: SparseJob | 0, tokens: TokenJob | 0): OutcomeText<number>;
}

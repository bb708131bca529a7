// The types of rerankers.
import type { ScoreOptions } from '../classification-head/types.ts';

export interface RelevanceOptions extends ScoreOptions {
  /** What makes a document fit, in words, such as `Find code that does what the query says`. Only language models that rank take
   *  it; without it, they have the one of their file. */
  readonly instruction?: string;
}

export interface RankOptions extends RelevanceOptions {
  /** How many documents to return; all when absent. */
  readonly k?: number;
  /** Returns the text of each document, too. */
  readonly returnDocuments?: boolean;
}

export interface RankedDocument {
  /** The document's place in the given list. */
  readonly index: number;
  readonly score: number;
  /** With `returnDocuments`. */
  readonly text?: string;
}

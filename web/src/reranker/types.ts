// The types of rerankers.
import type { ScoreOptions } from '../classification-head/types.ts';

export interface RankOptions extends ScoreOptions {
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

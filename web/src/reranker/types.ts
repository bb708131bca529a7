// The types of rerankers.
import type { ScoreOptions } from '../classification-head/types.ts';

export interface RelevanceOptions extends ScoreOptions {
  /** What makes a document fit, in words, such as `Find code that does what the query says`. Only language models that rank take
   *  it; without it, they have the one of their file. */
  readonly instruction?: string;
  /** After how many layers the model scores. Fewer layers take less time. Only models with a score after several of their layers,
   *  such as bge-reranker-v2-minicpm-layerwise (8 to 40), take it; without it they score after the last one. */
  readonly layer?: number;
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

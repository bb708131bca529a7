// The types of classifiers of texts (fastText's supervised models).
import type { JobOptions } from '../rpc/types.ts';

/** How the scores of labels become probabilities: hierarchical softmax, negative sampling, softmax, or one sigmoid for
 *  each label (one-vs-all). */
export const labelLosses = ['hs', 'ns', 'softmax', 'ova'] as const;
export type LabelLoss = (typeof labelLosses)[number];

export interface TextClassifierInfo {
  /** As the file has them, with the prefix of its training, mostly `__label__`. The file does not state the prefix. */
  readonly labels: readonly string[];
  /** The number of words in the dictionary. */
  readonly words: number;
  /** Numbers in a row of the matrices. */
  readonly dim: number;
  readonly loss: LabelLoss;
  /** N-grams of words have up to so many words. */
  readonly wordNgrams: number;
  /** N-grams of characters have so many characters at least and at most; `maxn` is 0 where there are none. */
  readonly minn: number;
  readonly maxn: number;
  /** All n-grams are hashed into so many buckets. */
  readonly buckets: number;
  /** Whether rows are codes of a product quantizer. */
  readonly quantized: boolean;
  /** Whether rows of words and n-grams were left out. */
  readonly pruned: boolean;
}

export interface PredictOptions extends JobOptions {
  /** The number of labels to return for each text; 1 when absent. */
  readonly k?: number;
  /** Labels that are less probable are left out, from 0 to 1; 0 when absent. Hierarchical softmax always leaves labels
   *  of less than 0.00001 out. */
  readonly threshold?: number;
}

/** The defaults of options that are absent. */
export const predictDefaults = { k: 1, threshold: 0 } as const satisfies PredictOptions;

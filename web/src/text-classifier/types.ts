// The types of text classifiers: models of fastText, and encoders with a classification head.
import type { ScoreOptions } from '../classification-head/types.ts';
import type { LabelOptions } from '../model/classify-types.ts';

/** How the scores of labels become probabilities: hierarchical softmax, negative sampling, softmax, or one sigmoid for
 *  each label (one-vs-all). */
export const labelLosses = ['hs', 'ns', 'softmax', 'ova'] as const;
export type LabelLoss = (typeof labelLosses)[number];

/** What a model of fastText says of itself. */
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

/** The options of `classify` for texts. `candidates`, `hypothesis`, `multiLabel` and `truncate` are for encoders; a model of
 *  fastText refuses them. A classifier that was trained on examples takes `truncate` alone of these. */
export interface ClassifyTextOptions extends LabelOptions, ScoreOptions {
  /** Whether several labels may be right at the same time, so that each has a probability of its own. The default is
   *  what the model states; with `candidates` it is false. */
  readonly multiLabel?: boolean;
  /** Classifies into these labels instead of the model's own (zero-shot classification). The model must have learned
   *  which text follows from another (natural language inference), with a label that begins with `entail`. */
  readonly candidates?: readonly string[];
  /** With `candidates`: the sentence that is compared with the text. `{}` stands for the candidate. */
  readonly hypothesis?: string;
}

/** The defaults of options for texts that are absent. */
export const classifyTextDefaults = {
  hypothesis: 'This example is {}.',
} as const satisfies ClassifyTextOptions;

// What runs a text classifier: a model of fastText (fasttext.ts), an encoder with a classification head (encoder-head.ts), or
// weights that were trained over the vectors of an encoder (trained/labeller.ts).
import type { ScoreOptions, TextPair } from '../classification-head/types.ts';
import type { LabelScore } from '../model/classify-types.ts';
import type { ClassifyTextOptions } from './types.ts';

export type TextInput = string | TextPair;

export interface Labeller {
  /** In the order of their indices. */
  readonly labels: readonly string[];
  /** The labels of each input, the best first. The inputs are texts and pairs. */
  readonly classify: (
    inputs: readonly TextInput[],
    options: ClassifyTextOptions,
  ) => Promise<LabelScore[][]>;
  readonly logits: (inputs: readonly TextInput[], options: ScoreOptions) => Promise<Float32Array>;
}

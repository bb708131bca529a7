// What rerankers and the text classifiers among encoders have in common: a classification head.
import type { Truncation } from '../model/embed-types.ts';
import type { JobOptions } from '../rpc/types.ts';

/** Two texts that the model reads together, such as a query and a document, or a premise and a hypothesis. */
export type TextPair = readonly [first: string, second: string];

/** How logits become probabilities: not at all, with a softmax over the labels, or with a sigmoid for each. */
export const problemTypes = [
  'regression',
  'single_label_classification',
  'multi_label_classification',
] as const;
export type ProblemType = (typeof problemTypes)[number];

/** What is applied to the logits so that they become scores. */
export const scoreActivations = ['identity', 'sigmoid', 'tanh'] as const;
export type ScoreActivation = (typeof scoreActivations)[number];

/** The classification head of a model, as its file states it (`info.config.classificationHead`). */
export interface HeadInfo {
  readonly labels: readonly string[];
  /** Null where the file does not state it. Then one label counts as `multi_label_classification`, and more as
   *  `single_label_classification`. */
  readonly problemType: ProblemType | null;
  readonly scoreActivation: ScoreActivation;
}

export interface ScoreOptions extends JobOptions {
  /** What happens to texts that are longer than the model takes: they are cut (`end`, the default), the longer text of
   *  a pair first, or the call is rejected (`error`). */
  readonly truncate?: Truncation;
}

// The types of rerankers, and of encoders that classify texts with the same kind of head.
import type { Truncation } from '../model/embed-types.ts';
import type { Prediction } from '../model/predict-types.ts';
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

export interface ClassifyTextOptions extends ScoreOptions {
  /** How many labels to return for each text; all when absent. */
  readonly k?: number;
  /** Whether several labels may be right at the same time, so that each has a probability of its own. The default is
   *  what the model states; with `candidates` it is false. */
  readonly multiLabel?: boolean;
  /** Classifies into these labels instead of the model's own (zero-shot classification). The model must have learned
   *  which text follows from another (natural language inference), with a label that begins with `entail`. */
  readonly candidates?: readonly string[];
  /** With `candidates`: the sentence that is compared with the text. `{}` stands for the candidate. */
  readonly hypothesis?: string;
}

/** The defaults of options that are absent. */
export const classifyTextDefaults = {
  hypothesis: 'This example is {}.',
} as const satisfies ClassifyTextOptions;

export interface LabelPrediction extends Prediction {
  /** The number that the model gives, before it becomes a probability. */
  readonly logit: number;
}

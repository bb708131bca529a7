// The types of classifiers that are trained on examples.
import type { JobOptions } from '../../rpc/types.ts';

/** A text and its label. */
export interface ClassifierExample {
  readonly text: string;
  readonly label: string;
}

/** The options of `createClassifier`. */
export interface ClassifierOptions extends JobOptions {
  /** Text put before each text, or the name of one of the model's prompts. It is saved with the classifier, which puts it
   *  before the texts that it classifies. */
  readonly prompt?: string;
  /** All labels count the same, however many examples each has. By default each example counts the same, so that frequent
   *  labels get higher scores. */
  readonly balanced?: boolean;
  /** How much large weights cost, more than 0: the factor of half the sum of their squares, beside the sum of the losses of
   *  all examples (1 / C of scikit-learn). A larger one makes scores less certain. The default is 0.1. */
  readonly l2?: number;
  /** How many workers embed side by side; the default is 1. */
  readonly workers?: number;
}

/** The defaults of options that are absent. */
export const classifierDefaults = {
  balanced: false,
  l2: 0.1,
  workers: 1,
} as const satisfies ClassifierOptions;

/** How a classifier did on examples that it had not seen: every fifth of each label. The classifier that counts these
 *  was trained on the others; the one that is returned is trained on all. */
export interface HeldOutScore {
  /** The examples whose label was the best one. */
  readonly correct: number;
  readonly count: number;
  /** `correct / count`, from 0 to 1. */
  readonly accuracy: number;
  /** A row for each label, in their order. A label with fewer than 5 examples has a count of 0. */
  readonly perLabel: readonly {
    readonly label: string;
    readonly correct: number;
    readonly count: number;
  }[];
}

/** What a trained classifier was made of. */
export interface TrainingFacts {
  /** Examples, without those that were given twice. */
  readonly examples: number;
  /** The cost of large weights. */
  readonly l2: number;
  readonly balanced: boolean;
  /** Null if fewer than two labels have 5 examples or more. */
  readonly heldOut: HeldOutScore | null;
}

/** The options of `save` of a trained classifier. */
export interface SaveClassifierOptions {
  /** Where the encoder is, for the program that opens the file: an address, or a path relative to the file. */
  readonly model?: string;
}

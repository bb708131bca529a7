// What all classifiers take and answer, of texts and of pictures.
import type { JobOptions } from '../rpc/types.ts';

/** A label that a classifier gives to its input. */
export interface LabelScore {
  readonly label: string;
  /** The place of the label: among those of the model, or among the candidates of the call. */
  readonly index: number;
  /** A probability, from 0 to 1. */
  readonly score: number;
}

/** The options of `classify` that every classifier takes. */
export interface LabelOptions extends JobOptions {
  /** The number of labels to return for each input; 5 when absent, or all labels of a model that has fewer. */
  readonly k?: number;
  /** Labels with a smaller score are left out, from 0 to 1; 0 when absent. */
  readonly threshold?: number;
}

/** The defaults of options that are absent. */
export const classifyDefaults = { k: 5, threshold: 0 } as const satisfies LabelOptions;

import type { OutcomeText, PredictJob, TextClassifierModel } from './types.mjs';

/** Classifiers of texts. Texts are UTF-8, options JSON. */
export interface PredictBindings {
  /** The rows are the probabilities: a number for each prediction of a text. */
  beginPredict(model: TextClassifierModel, options: string): OutcomeText<PredictJob>;
}

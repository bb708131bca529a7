// The calls of a worker for a classifier of texts.
import type { OpenCalls } from '../model/protocol.ts';
import type { PredictOptions } from './types.ts';

/** The predictions of all texts, one after another. */
export interface Predicted {
  /** How many predictions each text has. */
  readonly counts: Uint32Array<ArrayBuffer>;
  /** Indices of labels. */
  readonly labels: Uint32Array<ArrayBuffer>;
  readonly probabilities: Float32Array<ArrayBuffer>;
}

export type TextClassifierCalls = OpenCalls & {
  predict: {
    in: {
      texts: readonly string[];
      settings: Omit<PredictOptions, 'signal' | 'onProgress'>;
    };
    out: Predicted;
  };
};

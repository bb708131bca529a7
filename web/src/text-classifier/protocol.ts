// The calls of a worker for a model of fastText.
import type { LabelOptions } from '../model/classify-types.ts';
import type { OpenCalls } from '../model/protocol.ts';
import type { TokenCalls } from '../tokenizer/protocol.ts';

/** The labels of all texts, one after another. */
export interface LabelledTexts {
  /** How many labels each text has. */
  readonly counts: Uint32Array<ArrayBuffer>;
  /** Indices of labels. */
  readonly labels: Uint32Array<ArrayBuffer>;
  readonly scores: Float32Array<ArrayBuffer>;
}

export type FastTextCalls = OpenCalls &
  TokenCalls & {
    labelTexts: {
      in: {
        texts: readonly string[];
        settings: Pick<LabelOptions, 'k' | 'threshold'>;
      };
      out: LabelledTexts;
    };
  };

// The calls of a worker for an image classifier.
import type { OpenCalls } from '../model/protocol.ts';
import type { Pixels } from '../platform/types.ts';
import type { Classification, ClassifyOptions } from './types.ts';

export type ClassifierCalls = OpenCalls & {
  classify: {
    in: {
      input: Float32Array | Pixels;
      /** The plan as JSON. Null keeps the current plan. */
      plan: string | null;
      settings: Omit<ClassifyOptions, 'signal' | 'onProgress' | 'plan'>;
    };
    out: Classification;
  };
};

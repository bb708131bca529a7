// The calls of a worker for a network that classifies pictures.
import type { OpenCalls } from '../model/protocol.ts';
import type { Pixels } from '../runtime/types.ts';
import type { Classification, ClassifyOptions } from './types.ts';

export type ClassifierCalls = OpenCalls & {
  classify: {
    in: {
      input: Float32Array | Pixels;
      /** JSON. Null keeps the plan that is in use. */
      plan: string | null;
      settings: Omit<ClassifyOptions, 'signal' | 'onProgress' | 'plan'>;
    };
    out: Classification;
  };
};

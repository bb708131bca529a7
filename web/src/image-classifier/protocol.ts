// The calls of a worker for an image classifier.
import type { OpenCalls } from '../model/protocol.ts';
import type { Pixels } from '../platform/types.ts';
import type { ImageRun, RunImageOptions } from './types.ts';

export type ImageClassifierCalls = OpenCalls & {
  runPicture: {
    in: {
      input: Float32Array | Pixels;
      /** The plan as JSON. Null keeps the current plan. */
      plan: string | null;
      settings: Omit<RunImageOptions, 'signal' | 'onProgress' | 'plan'>;
    };
    out: ImageRun;
  };
};

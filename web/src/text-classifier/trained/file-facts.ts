// What a classifier's file says beside its numbers. The file is safetensors: two tensors, and these facts as texts in
// `__metadata__`.
import type { ClassifierEncoder } from '../../model/types.ts';
import type { TrainingFacts } from './types.ts';

export const fileVersion = '1';
export const weightName = 'weight';
export const biasName = 'bias';

export interface ClassifierFacts extends TrainingFacts {
  readonly labels: readonly string[];
  /** The encoder, with the vector that tells it from others. */
  readonly encoder: ClassifierEncoder & { readonly probe: readonly number[] };
  readonly prompt: string | undefined;
}

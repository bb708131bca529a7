// Text to vectors.
import type { JobOptions } from '../rpc/types.ts';

/** `sif`, of word vectors alone: the mean with frequent words counting less. */
export type Pooling = 'mean' | 'cls' | 'max' | 'mean_sqrt_len' | 'lasttoken' | 'none' | 'sif';

export interface EmbedOptions extends JobOptions {
  /** The model's own when absent. */
  readonly pooling?: Pooling;
  /** Scale each vector to unit length; the model's own habit when absent. */
  readonly normalize?: boolean;
  /** What to do with texts longer than the model takes: cut them (default) or reject the call. */
  readonly truncate?: 'end' | 'error';
  /** Text put before each text, or the name of one of the model's prompts. */
  readonly prompt?: string;
  /** Keep the first `dim` numbers (Matryoshka), then normalise. */
  readonly dim?: number;
  /** How many workers embed side by side; 1 when absent. Each but the first holds a copy of the model, and
   *  gives its memory back some seconds after the last text. Word vectors take one. */
  readonly workers?: number;
}

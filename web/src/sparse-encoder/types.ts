// The types of sparse encoders.
import type { TextRole } from '../late-interaction/types.ts';
import type { Truncation } from '../model/embed-types.ts';
import type { JobOptions } from '../rpc/types.ts';

/** What a sparse encoder knows of a text: the words of its vocabulary that matter, and how much. */
export interface SparseVector {
  /** The ids of the words, which are tokens of the model; that with the largest weight first. Each is there once. */
  readonly ids: Uint32Array;
  /** The weights of these words. They are above 0, unless a model has other fixed weights for queries. */
  readonly weights: Float32Array;
  /** The words as the tokenizer has them, such as `##ing` of WordPiece. Only with the option `words`. */
  readonly words?: readonly string[];
}

export interface EmbedSparseOptions extends JobOptions {
  /** Whether the texts are documents, which is the default, or queries. It matters to models that have fixed weights for
   *  queries, or prompts of these names. */
  readonly as?: TextRole;
  /** How many words to keep of each text at most. Default: all. */
  readonly k?: number;
  /** Whether each vector gets `words`. Default: false. */
  readonly words?: boolean;
  /** What happens to texts that are longer than the model takes: they are cut (`end`, the default), or the call is
   *  rejected (`error`). */
  readonly truncate?: Truncation;
}

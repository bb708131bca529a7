// The types of encoders that give all outputs of a text in one pass.
import type { Truncation } from '../../model/embed-types.ts';
import type { JobOptions } from '../../rpc/types.ts';
import type { SparseVector } from '../../sparse-encoder/types.ts';

/** What a model such as BGE-M3 gives of a text. */
export interface AllOutputs {
  /** The vector of the text, `dim` numbers, as `embed` gives it. */
  readonly dense: Float32Array<ArrayBuffer>;
  /** The words of the text and their weights, as a sparse encoder gives them. */
  readonly sparse: SparseVector;
  /** The vectors of the text's tokens but the first, rows of `dim` numbers, as `embedTokens` gives them. */
  readonly tokens: Float32Array<ArrayBuffer>;
}

export interface EmbedAllOptions extends JobOptions {
  /** Whether there is a vector of the text. Default: true. */
  readonly dense?: boolean;
  /** Whether there are the weights of words. Default: true. */
  readonly sparse?: boolean;
  /** Whether there are the vectors of tokens, which take the most memory. Default: true. */
  readonly tokens?: boolean;
  /** How many words to keep of each text at most. Default: all. */
  readonly k?: number;
  /** Whether `sparse` gets `words`. Default: false. */
  readonly words?: boolean;
  /** What happens to texts that are longer than the model takes: they are cut (`end`, the default), or the call is
   *  rejected (`error`). */
  readonly truncate?: Truncation;
  /** Text to put before each text, or the name of one of the model's prompts. */
  readonly prompt?: string;
}

/** Options that leave no output out. */
export type EmbedEveryOptions = EmbedAllOptions & {
  readonly dense?: true;
  readonly sparse?: true;
  readonly tokens?: true;
};

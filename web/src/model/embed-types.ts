// How texts become vectors, for encoders and for word vectors.
import { flag, number, oneOf, text } from '../base/kinds.ts';
import type { OptionNames } from '../base/options.ts';
import type { JobOptions } from '../rpc/types.ts';
import { jobOptionNames } from '../runtime/option-names.ts';

/** `sif` is for word vectors only: a mean in which frequent words count less. Word vectors take `mean` and `sif`. */
export const poolings = [
  'mean',
  'cls',
  'max',
  'mean_sqrt_len',
  'lasttoken',
  'none',
  'sif',
] as const;
export type Pooling = (typeof poolings)[number];

/** What happens to texts that are longer than the model takes: they are cut, or the call is rejected. The first is the
 *  default. */
export const truncations = ['end', 'error'] as const;
export type Truncation = (typeof truncations)[number];

/** The forms in which `embed` gives vectors. The first is the default. */
export const embedForms = ['vectors', 'matrix'] as const;
export type EmbedForm = (typeof embedForms)[number];

export interface EmbedOptions extends JobOptions {
  /** The default is the model's own. */
  readonly pooling?: Pooling;
  /** Scales each vector to length 1. The default is what the model's file says. */
  readonly normalize?: boolean;
  /** What happens to texts that are longer than the model takes: they are cut (`end`, the default), or the call is
   *  rejected (`error`). */
  readonly truncate?: Truncation;
  /** Text to put before each text, or the name of one of the model's prompts. */
  readonly prompt?: string;
  /** The name of one of the model's prompts. Unlike with `prompt`, a name that the model does not have is an error. Not
   *  for word vectors. */
  readonly promptName?: string;
  /** What the texts are searched for, in a sentence: it takes the place of the task in the model's own prompt, as in
   *  `Instruct: Given a question, find its answer\nQuery:`. For models with such a prompt. */
  readonly instruction?: string;
  /** Keeps the first `dim` values of each vector (Matryoshka), and normalizes afterwards. */
  readonly dim?: number;
  /** `vectors`, the default, gives a `Float32Array` for a text, and for a list an array with one for each text, each with
   *  a buffer of its own. `matrix` gives one `Float32Array` with the rows of all texts: row `i` begins at `i * dim`. It
   *  saves copies where a program wants one block. Pooling `none` has no matrix, as texts differ in their tokens. */
  readonly as?: EmbedForm;
  /** How many workers embed side by side; the default is 1. Where there is no `SharedArrayBuffer`, each worker but
   *  the first holds a copy of the model. The memory is given back some seconds after the last text. Word vectors
   *  and language models always use one worker. */
  readonly workers?: number;
}

/** Options of `embed` for one array per text. */
export type EmbedVectorsOptions = EmbedOptions & { readonly as?: 'vectors' };
/** Options of `embed` for one array with the rows of all texts. */
export type EmbedMatrixOptions = EmbedOptions & { readonly as: 'matrix' };

/** The names of the options of `embed`. */
export const embedOptionNames: OptionNames<EmbedOptions> = {
  ...jobOptionNames,
  pooling: true,
  normalize: flag,
  truncate: true,
  prompt: text,
  promptName: text,
  instruction: text,
  dim: number,
  as: oneOf(embedForms),
  workers: number,
};

/** The defaults of options that are absent. */
export const embedDefaults = { as: 'vectors', workers: 1 } as const satisfies EmbedOptions;

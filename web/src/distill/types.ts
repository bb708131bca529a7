// Distilling an encoder to a static one.

import type { Problem } from '../base/problem.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions } from '../sources/base/types.ts';

/** How the vectors of tokens can be stored. The first is the default. */
export const distillTypes = ['int8', 'f16', 'f32'] as const;
export type DistillType = (typeof distillTypes)[number];

export interface DistillSettings {
  /** The numbers of a vector: so many principal axes are kept, at most as many as the encoder's vectors have. The
   *  default is 256. */
  readonly dim?: number;
  /** Tokens that are frequent count less: the weight of a token of frequency p is `sif / (sif + p)`. The default is
   *  1e-4; with 0 all count alike. */
  readonly sif?: number;
  /** How the vectors are stored. The default is `int8`. */
  readonly dtype?: DistillType;
  /** How many tokens are kept, the most frequent ones and single letters. Other words are put together from those. The
   *  default is all. */
  readonly vocabSize?: number;
}

export interface DistillOptions extends DistillSettings, JobOptions, RuntimeOptions, FetchOptions {
  /** Texts like those that will be searched. Their tokens are counted, for the weights and the choice of tokens. Without
   *  them, the order of the vocabulary stands for the frequencies. */
  readonly corpus?: Iterable<string> | AsyncIterable<string>;
  /** Metadata of the file; `created_at` is a fixed date by default. */
  readonly metadata?: { readonly model_name?: string; readonly created_at?: string };
  /** Called with each thing that the conversion of the source left out or guessed. */
  readonly onWarning?: (warning: Problem) => void;
}

/** In Node: the file is written to this path. */
export interface DistillToFileOptions extends DistillOptions {
  readonly output: string;
}

/** The defaults of options that are absent. */
export const distillDefaults = { dim: 256, sif: 1e-4, dtype: distillTypes[0] } as const;

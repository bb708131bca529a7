// Conversion between formats.

import type { Problem } from '../problem.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { RuntimeOptions } from '../runtime/types.ts';
import type { FetchOptions } from '../sources/types.ts';

export interface ConvertOptions extends JobOptions, RuntimeOptions, FetchOptions {
  /** Target format; `embd` when absent. The source's own format writes its content again as a
   *  strict file. */
  readonly to?: string;
  /** Refuse a source of any other format; or what the source is, where its bytes do not tell. */
  readonly from?: string;
  /** The model's architecture, where the source does not state it. */
  readonly arch?: string;
  /** Leave out with a warning what the target cannot hold, instead of failing. */
  readonly lossy?: boolean;
  /** Word vectors: the rows with the norms that the source keeps beside them. */
  readonly unnormalize?: boolean;
  /** Storage of weight matrices; as in the source when absent. int8 is per row, with `.scale` companions. */
  readonly dtype?: 'f32' | 'f16' | 'bf16' | 'int8';
  /** Metadata to add or replace in the target. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** To `finalfusion`: what the file says of itself, as TOML, kept byte for byte; instead of what the source
   *  says. */
  readonly metadataToml?: string;
  /** Of a finalfusion file with quantized vectors: one with dense vectors (to `finalfusion`). */
  readonly reconstruct?: boolean;
  /** Of a finalfusion file whose n-grams hash into buckets: each n-gram stored with its row. Metadata are left
   *  out. */
  readonly explicit?: boolean;
  /** Of a finalfusion file: only these words, in this order, with any target of word vectors. A word that the
   *  file does not have comes from its pieces, where it has those. Metadata are left out; where the target
   *  keeps no norms, rows have the lengths that they had. */
  readonly select?: WordSelection;
  /** Hears what was left out or guessed. */
  readonly onWarning?: (warning: Problem) => void;
  /** Hears what became of the numbers, once all is done. */
  readonly onReport?: (report: ConversionReport) => void;
}

export interface WordSelection {
  readonly words: readonly string[];
  /** Leave out words that get no vector, instead of failing with `NotFound`. */
  readonly ignoreUnknown?: boolean;
}

/** What a conversion did to the numbers of one tensor: sizes in bytes, types as `inspect` names them. */
export interface TensorChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** 0 for a tensor that the source does not have, such as scales. */
  readonly bytesBefore: number;
  readonly bytes: number;
  readonly maxAbsError: number;
  /** The length of the difference over the length of what was before; null where that was nothing. */
  readonly relativeError: number | null;
  /** Of before and after as two vectors. */
  readonly cosine: number;
}

export interface ConversionReport {
  /** Of all tensors together. */
  readonly bytesBefore: number;
  readonly bytes: number;
  readonly tensors: readonly TensorChange[];
  /** Of quantized word vectors, row by row: the cosine with what they were, and the distance from it. */
  readonly vectors?: {
    readonly rows: number;
    readonly cosine: { readonly mean: number; readonly deviation: number };
    readonly distance: { readonly mean: number; readonly deviation: number };
  };
}

/** What a source can become. */
export interface ConversionTargets {
  /** What the source is: a format, or a kind of file that is only converted from (`word2vec`, …). */
  readonly from: string;
  readonly targets: readonly {
    /** The option `to` of the conversion. */
    readonly to: string;
    /** Why this source cannot become it, although its kind can; null if it can. */
    readonly problem: Problem | null;
  }[];
}

/** Node only: the target goes to a file, which appears only when it is whole. */
export interface ConvertToFileOptions extends ConvertOptions {
  readonly output: string;
}

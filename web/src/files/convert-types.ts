// Conversion between formats.

import type { Problem } from '../problem.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { RuntimeOptions } from '../runtime/types.ts';
import type { FetchOptions } from '../sources/types.ts';
import type { FormatId, TargetDType } from '../wasm/tables.ts';

/** The architectures of models that generate text, as Hugging Face names them. */
export const architectures = [
  'llama',
  'mistral',
  'gemma',
  'phi',
  'phi3',
  'gpt2',
  'falcon',
  'mpt',
] as const;

export interface ConvertOptions extends JobOptions, RuntimeOptions, FetchOptions {
  /** Target format; `embd` when absent. The source's own format writes its content again as a
   *  strict file. */
  readonly to?: string;
  /** Refuse a source of any other format; or what the source is, where its bytes do not tell. */
  readonly from?: string;
  /** The model's architecture, where the source does not state it: one of `architectures`. */
  readonly arch?: string;
  /** Leave out with a warning what the target cannot hold, instead of failing. */
  readonly lossy?: boolean;
  /** Word vectors: the rows with the norms that the source keeps beside them. */
  readonly unnormalize?: boolean;
  /** Storage of weight matrices; as in the source when absent. int8 is per row, with `.scale` companions. */
  readonly dtype?: TargetDType;
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

/** What applies where an option is absent. */
export const convertDefaults = { to: 'embd' } as const satisfies { readonly to: FormatId };

export interface WordSelection {
  readonly words: readonly string[];
  /** Leave out words that get no vector, instead of failing with `NotFound`. */
  readonly ignoreUnknown?: boolean;
}

/** What a conversion changed in one tensor: sizes in bytes, types as in `inspect`. */
export interface TensorChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** 0 for a tensor that the source does not have, such as scales. */
  readonly bytesBefore: number;
  readonly bytes: number;
  readonly maxAbsError: number;
  /** The norm of the difference divided by the norm of the original. Null when the original is zero. */
  readonly relativeError: number | null;
  /** The cosine between the original and the result as vectors. */
  readonly cosine: number;
}

export interface ConversionReport {
  /** The sum over all tensors. */
  readonly bytesBefore: number;
  readonly bytes: number;
  readonly tensors: readonly TensorChange[];
  /** For quantized word vectors: the cosine and the distance between each row and its original. */
  readonly vectors?: {
    readonly rows: number;
    readonly cosine: { readonly mean: number; readonly deviation: number };
    readonly distance: { readonly mean: number; readonly deviation: number };
  };
}

/** The formats that a source can be converted to. */
export interface ConversionTargets {
  /** The format of the source, or a kind of file that can only be read by conversions (`word2vec`, …). */
  readonly from: string;
  readonly targets: readonly {
    /** The value for the option `to`. */
    readonly to: string;
    /** Why this source cannot be converted to this format. Null if it can. */
    readonly problem: Problem | null;
  }[];
}

/** Node only: writes the target to a file, which appears only when it is complete. */
export interface ConvertToFileOptions extends ConvertOptions {
  readonly output: string;
}

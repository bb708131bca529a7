// The result and options of `validate`: whether a file is valid, and statistics of its values.

import type { Problem } from '../base/problem.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions } from '../sources/base/types.ts';

/** How deep the check went. Each depth includes those before it: headers and tables, then the vocabulary, then
 *  checksums and padding, then all values. */
export type CheckDepth = 'headers' | 'structure' | 'checksums' | 'values';

export interface ValidationReport {
  readonly format: string | null;
  readonly version: string | null;
  /** Whether no error was found down to `depth`. */
  readonly valid: boolean;
  readonly depth: CheckDepth;
  /** In order of the offset in the file. Errors without an offset come first. */
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Whether `convert(source, {to: report.format})` writes a strict file with the same metadata, tokenizer and
   *  tensors. False where an error makes the content uncertain. */
  readonly rewritable: boolean;
  /** One entry per tensor, in the order of the file's table. Present when `values` was requested and the structure is
   *  valid. Tensors of types that cannot be decoded are left out, with a warning. */
  readonly statistics?: readonly TensorStatistics[];
}

/** The distribution of a tensor's finite values: 64 bins of equal width over [low, high). */
export interface Histogram {
  readonly low: number;
  readonly high: number;
  readonly counts: readonly number[];
}

/** The minimum, maximum and mean Euclidean length of a tensor's rows. Rows with NaN or infinity are left out. */
export interface RowNorms {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

/** Statistics of the values of one tensor. Quantized values are decoded first. A row has all values of one index of
 *  the first dimension. Tensors of one dimension have no rows. */
export interface TensorStatistics {
  readonly tensor: string;
  /** The number of all values. */
  readonly count: number;
  readonly nan: number;
  readonly infinite: number;
  readonly zeros: number;
  /** Rows in which every number is zero. */
  readonly zeroRows: number;
  /** Values other than zero that are smaller than the smallest normal number of the stored type. */
  readonly denormals: number;
  /** The least finite value. This field and those below are of the finite values, and null when there are none. */
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** Standard deviation of all values (not of a sample). */
  readonly std: number | null;
  readonly rowNorms: RowNorms | null;
  readonly histogram: Histogram | null;
}

export interface ValidateOptions extends JobOptions, RuntimeOptions, FetchOptions {
  /** Report an error for every violation of the specification, even where the meaning is certain. */
  readonly strict?: boolean;
  /** Verify checksums, which reads the whole file. The default is true, except for a URL whose server supports range
   *  requests. For such a URL only the headers and tables are read, unless `cache` or `sha256` needs the whole file. */
  readonly checksums?: boolean | undefined;
  /** Also check the values: NaN, infinity, rows of zeros, repeated tokens, and statistics of every tensor. */
  readonly values?: boolean;
  /** Add the bytes around the offset to the first 100 problems, if the source allows random access. */
  readonly context?: boolean;
}

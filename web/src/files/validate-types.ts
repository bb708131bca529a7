// Whether a file is sound, and what its numbers are like.

import type { Problem } from '../problem.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { RuntimeOptions } from '../runtime/types.ts';
import type { FetchOptions } from '../sources/types.ts';

/** How deep a file was looked into, each with all before it: headers and tables; the vocabulary, too;
 *  checksums and padding; every number. */
export type CheckDepth = 'headers' | 'structure' | 'checksums' | 'values';

export interface ValidationReport {
  readonly format: string | null;
  readonly version: string | null;
  /** Nothing wrong was found as deep as `depth`. */
  readonly valid: boolean;
  readonly depth: CheckDepth;
  /** In order of their place in the file; those without one first. */
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Whether `convert(source, {to: report.format})` writes a strict file with the same metadata,
   *  tokenizer and tensors. Never where an error leaves the content in doubt. */
  readonly rewritable: boolean;
  /** One entry a tensor, in the order of the file's table, when `values` was asked for and the structure
   *  is sound. Tensors of a type that is not decoded here are left out, with a warning. */
  readonly statistics?: readonly TensorStatistics[];
}

/** How the finite numbers of a tensor are spread: 64 bins of equal width over [low, high). */
export interface Histogram {
  readonly low: number;
  readonly high: number;
  readonly counts: readonly number[];
}

/** Least, greatest and mean Euclidean length of a tensor's rows, those with NaN or infinity left out. */
export interface RowNorms {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

/** What `validate` with `values` finds in the numbers of one tensor; quantised ones are decoded. A row is
 *  everything behind one index of the first dimension; tensors of one dimension have none. */
export interface TensorStatistics {
  readonly tensor: string;
  /** Numbers in all. */
  readonly count: number;
  readonly nan: number;
  readonly infinite: number;
  readonly zeros: number;
  /** Rows in which every number is zero. */
  readonly zeroRows: number;
  /** Numbers other than zero below the least normal number of the stored type. */
  readonly denormals: number;
  /** Of the finite numbers, as are the rest; null when there are none. */
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** Standard deviation over all numbers (not a sample's). */
  readonly std: number | null;
  readonly rowNorms: RowNorms | null;
  readonly histogram: Histogram | null;
}

export interface ValidateOptions extends JobOptions, RuntimeOptions, FetchOptions {
  /** Refuse what a writer must not produce, even where its meaning is certain. */
  readonly strict?: boolean;
  /** Verify them, which reads the file to its end. When absent: yes, but not for a URL whose server sends
   *  ranges, unless `cache` or `sha256` asks for the file as a whole; of such a file the headers and
   *  tables are looked at, a few requests. */
  readonly checksums?: boolean | undefined;
  /** Also look at the numbers: NaN, infinity, rows of zeros, repeated tokens, and statistics of every
   *  tensor. */
  readonly values?: boolean;
  /** Give the first 100 problems the bytes around their place, where the source can be read anywhere. */
  readonly context?: boolean;
}

// The calls of the worker that converts files.

import type { Problem } from '../base/problem.ts';
import type { RunReport } from '../inspect/run-types.ts';
import type { RunKind } from '../model/kind.ts';
import type { ConvertedToRun } from '../model/protocol.ts';
import type { WireOutput } from '../output/types.ts';
import type { Pixels } from '../platform/types.ts';
import type { NamedSource, WireSource } from '../sources/base/wire.ts';
import type { ConversionReport, ConversionTargets, WordSelection } from './convert-types.ts';
import type { QuantizeSettings, QuantizeType } from './quantize-types.ts';

/** Pictures are decoded on the caller's side. */
export type QuantizeWire = Omit<QuantizeSettings, 'images'> & {
  readonly images?: readonly (Float32Array | Pixels)[];
};

export interface ConversionSettings {
  readonly to: string;
  readonly from?: string | undefined;
  readonly arch?: string | undefined;
  readonly lowercase?: boolean | undefined;
  readonly task?: string | undefined;
  /** The factors of the adapters, whose files are among the weights and the small files (adapter-parts.ts). */
  readonly adapters?: readonly number[] | undefined;
  readonly head?: string | undefined;
  readonly dtype?: string | undefined;
  readonly dim?: number | undefined;
  readonly lossy?: boolean | undefined;
  /** Writes the tokenizer of a directory alone. */
  readonly tokenizerOnly?: boolean | undefined;
  /** The target is opened and then dropped, so it may be what only this package reads. */
  readonly toRun?: boolean | undefined;
  readonly unnormalize?: boolean | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly metadataToml?: string | undefined;
  readonly reconstruct?: boolean | undefined;
  readonly explicit?: boolean | undefined;
  readonly select?: WordSelection | undefined;
  readonly quantize?: QuantizeWire | undefined;
}

export type ConvertCalls = {
  /** The blob is null when the target was written to the file `output`. The report is null when nothing was
   *  measured. */
  convert: {
    in: {
      weights: readonly NamedSource[];
      files: Readonly<Record<string, WireSource>>;
      unread?: readonly string[];
      settings: ConversionSettings;
      output?: WireOutput | undefined;
    };
    out: {
      blob: Blob | null;
      warnings: readonly Problem[];
      report: ConversionReport | null;
    };
  };
  /** Converts to the format in which the model runs, and quantizes it if `quantize` says so. Without `kind`, the source
   *  says what it is. */
  convertToRun: {
    in: {
      weights: readonly NamedSource[];
      files: Readonly<Record<string, WireSource>>;
      unread?: readonly string[];
      kind: RunKind | undefined;
      head?: string | undefined;
      adapters?: readonly number[] | undefined;
      quantize?: QuantizeType | undefined;
      output?: WireOutput | undefined;
    };
    out: ConvertedToRun & { blob: Blob | null };
  };
  /** What a source runs as that has to be converted. Without `kind`, the source says what it is. */
  runAfterConversion: {
    in: {
      weights: readonly NamedSource[];
      files: Readonly<Record<string, WireSource>>;
      unread?: readonly string[];
      kind: RunKind | undefined;
    };
    out: RunReport;
  };
  /** Converts word vectors and keeps nothing of it: what is wrong with them, and what is odd. */
  checkVectors: {
    in: { weights: readonly NamedSource[]; files: Readonly<Record<string, WireSource>> };
    out: { from: string; warnings: readonly Problem[] };
  };
  /** The tokenizer of a directory as a model file without tensors, and the bytes of its settings, which the file may not
   *  have. `weights` have no tensors, either. */
  tokenizerFile: {
    in: {
      weights: readonly NamedSource[];
      files: Readonly<Record<string, WireSource>>;
      lowercase?: boolean | undefined;
    };
    out: { blob: Blob; warnings: readonly Problem[]; settings: readonly NamedSource[] };
  };
  conversionTargets: {
    in: {
      weights: readonly NamedSource[];
      files: Readonly<Record<string, WireSource>>;
      unread?: readonly string[];
      settings: Omit<ConversionSettings, 'to'>;
    };
    out: ConversionTargets;
  };
};

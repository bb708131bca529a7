// What a source runs as when it is opened.

import type { Problem } from '../base/problem.ts';
import type { ModelKind } from '../model/kind.ts';

/** Estimated bytes of memory for running the model: weights, vocabulary and working space. */
export interface MemoryEstimate {
  /** With the default of the option `weights`. */
  readonly asStored: number;
  /** With `{weights: 'int8'}`, which only encoders take; else null. */
  readonly int8: number | null;
}

/** What tells of a language model how it ends answers and takes conversations. */
export interface GeneratorReport {
  /** Tokens that end an answer. Those known by their text only are missing if the vocabulary was not read. */
  readonly endIds: readonly number[];
  /** The names of its templates for conversations. */
  readonly chatTemplates: readonly string[];
}

/** What `open` would make of a source. */
export interface RunReport {
  /** Null if nothing tells it. */
  readonly kind: ModelKind | null;
  /** The id of the format that runs: that of the file, or that to which it is converted. Null while it is not known. */
  readonly format: string | null;
  /** Whether the source has to be converted first, which `open` does. */
  readonly converts: boolean;
  /** Null if it does not run, or if only a conversion tells it. */
  readonly memory: MemoryEstimate | null;
  /** The error with which `open` would fail. Null if it would not, as far as headers, tables and the vocabulary tell:
   *  values and checksums are not read, and of a remote file the vocabulary is not read. */
  readonly obstacle: Problem | null;
  /** What the conversion leaves out or guesses, and what the model will not do. */
  readonly warnings: readonly Problem[];
  /** Set if the source opens as a language model. */
  readonly generator?: GeneratorReport;
  /** The files of a directory, the weights first. */
  readonly files?: readonly { readonly name: string; readonly bytes: number }[];
}

// The call that opens a model, which workers for all kinds have.
import type { WireError } from '../base/errors.ts';
import type { Problem } from '../base/problem.ts';
import type { Platform } from '../platform/platform.ts';
import type { ModelDirectory } from '../sources/base/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import type { FileInfo } from './file-info.ts';
import type { RunKind } from './kind.ts';
import type { Opening } from './opening.ts';
import type { OpenOptions } from './types.ts';

export type OpenRequest = {
  readonly source: WireSource;
  readonly kind?: RunKind | undefined;
  /** The plan of a network, which its file cannot hold. */
  readonly plan?: object | undefined;
} & {
  readonly [K in 'mode' | 'weights' | 'kv' | 'context' | 'resident' | 'device']?:
    | OpenOptions[K]
    | undefined;
};

export interface OpenedModel {
  readonly kind: RunKind;
  readonly info: FileInfo;
  readonly weightBytes: number;
  readonly flavour: string;
  /** The plan that a converted network came with. */
  readonly plan?: object | undefined;
}

/** How a source became a file that runs. The formats are ids. */
export interface ConvertedToRun {
  readonly kind: RunKind;
  readonly from: string;
  readonly to: string;
  readonly warnings: readonly Problem[];
  /** The plan of a network, which its file cannot hold. */
  readonly plan?: object | undefined;
}

/** The file is none that this worker runs. */
export interface NotOpened {
  /** How to open it. */
  readonly opens: Opening;
  /** Whether that is a guess, because the first bytes tell nothing. */
  readonly isGuess?: boolean;
  /** What to say of the file if nothing opens it. */
  readonly refusal?: WireError | undefined;
}

export type OpenCalls = { open: { in: OpenRequest; out: OpenedModel | NotOpened } };

/** A file that runs, made of a source that does not. */
export interface ConvertedSource extends ConvertedToRun {
  readonly wire: WireSource;
  /** Removes the file. */
  readonly release: () => Promise<void>;
}

export type Conversion = (
  platform: Platform,
  source: WireSource | ModelDirectory,
  kind: RunKind | undefined,
  options: OpenOptions,
) => Promise<ConvertedSource>;

/** What a converted file was made of, and what becomes of it. */
export type Converted = ConvertedToRun & { readonly onClose?: () => Promise<void> };

export type Opened<T> = { readonly model: T } | NotOpened;

/** What a file says of itself, and the bytes of the tensors with these names, as far as the file has them. A tensor with more
 *  bytes than `most` is refused. The workers that look into files have this call. */
export type TensorCalls = {
  readTensors: {
    in: { readonly source: WireSource; readonly names: readonly string[]; readonly most: number };
    out: ReadTensors;
  };
};

export interface ReadTensors {
  readonly info: FileInfo;
  /** Where the part of the file begins that says it. */
  readonly headerOffset: number;
  readonly bytes: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

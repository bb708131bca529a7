// What differs between a browser and Node on the caller's side.
import type { Port } from '../rpc/port.ts';
import type { ModelDirectory } from '../sources/base/types.ts';
import type { WireSource } from '../sources/base/wire.ts';
import type { ModuleName } from '../wasm/module.mjs';
import type { Pixels } from './types.ts';

/** The packaged scripts of workers. Most run a module and have its name. All for sentence encoders also hold search
 *  indexes. `encoder-small` and `static-small` are for BERT's family and for static encoders with WordPiece, their twins for
 *  every architecture and tokenizer. `encoder-small-cached` is `encoder-small` for files that are cached or whose SHA-256 is
 *  checked. `convert` also inspects. `all` has every call. */
export type WorkerName =
  | ModuleName
  | 'encoder-small-cached'
  | 'kept-vectors'
  | 'chat-template'
  | 'all';

/** A target file that is not complete yet. */
export interface OutputFile {
  /** The path of the temporary file, which takes the bytes. */
  readonly path: string;
  /** The path of the target as it was given. */
  readonly target: string;
  /** Puts the file in the place of the target. */
  readonly commit: () => Promise<void>;
  /** Removes the temporary file. */
  readonly discard: () => Promise<void>;
}

export type TemporaryFile = Pick<OutputFile, 'path' | 'discard'>;

export interface Platform {
  /** Starts a packaged worker script. */
  readonly spawn: (worker: WorkerName) => Port;
  /** Whether all names but `chat-template` start the script that has every call. */
  readonly oneWorker?: true;
  /** WebAssembly that stands in for the packaged one, where bytes may not be compiled. */
  readonly wasmModule?: WebAssembly.Module | undefined;
  /** Takes a worker that the caller made. */
  readonly adopt: (worker: Worker) => Port;
  /** The number of logical processors. */
  readonly cores: () => number;
  /** What a string or a URL stands for. */
  readonly locate: (source: string | URL) => WireSource;
  /** An absolute URL, made of one that may be relative to the page. */
  readonly absolute: (url: string | URL) => string;
  /** Whether the source names a directory and no file. */
  readonly isDirectory: (source: WireSource) => boolean;
  /** The files of a local directory, or of the directory of a `.safetensors` file; else undefined. */
  readonly directoryAt: (source: WireSource) => Promise<ModelDirectory | undefined>;
  /** Makes a target file. Only Node can. */
  readonly createOutput?: (target: string) => Promise<OutputFile>;
  /** Makes a file that is removed when it is discarded, or when the process ends. Only Node can. */
  readonly createTemporary?: () => Promise<TemporaryFile>;
  /** What decodes pictures where the engine cannot. */
  readonly pictures?: () => Promise<{ pixelsOf(given: unknown): Promise<Pixels> }>;
  /** Whether the other origin of `response` lets pages read it; undefined where that cannot be known. */
  readonly allowsPages: (response: Response) => boolean | undefined;
}

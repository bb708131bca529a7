// What differs between a browser and Node on the caller's side.

import type { ClassifierInput, Pixels } from '../classifier/types.ts';
import type { DoctorCheck } from '../doctor/types.ts';
import type { ModelDirectory } from '../files/convert-types.ts';
import type { Port } from '../rpc/port.ts';
import type { WireSource } from '../rpc/protocol.ts';

/** What a worker is for: `run` opens encoders and indexes, and `keptRun` those whose files are kept or whose SHA-256 is
 *  given; `convert` inspects, too; `keep` holds vectors on disk; `all` does everything. */
export type Purpose =
  | 'run'
  | 'keptRun'
  | 'words'
  | 'classify'
  | 'generate'
  | 'inspect'
  | 'tokenize'
  | 'convert'
  | 'keep'
  | 'all';

export interface Platform {
  /** A worker of the packaged script for this purpose. */
  readonly spawn: (purpose: Purpose) => Port;
  /** Whether workers of all purposes do everything. */
  readonly whole?: true;
  /** A worker that the caller made. */
  readonly adopt: (worker: Worker) => Port;
  /** What a string or a URL stands for. */
  readonly locate: (source: string | URL) => WireSource;
  /** An absolute URL, from one that may be relative to the page. */
  readonly absolute: (url: string | URL) => string;
  /** The files of a local directory, or of the one around a `.safetensors` file; else undefined. */
  readonly directoryAt: (source: WireSource) => Promise<ModelDirectory | undefined>;
  /** What this machine has and lacks, apart from WebAssembly and workers. */
  readonly environment: () => Promise<DoctorCheck[]>;
  /** What decodes pictures, if not a browser. */
  readonly pictures?: () => Promise<{
    readonly pixelsOf: (given: ClassifierInput) => Promise<Pixels>;
  }>;
  /** Whether the other origin of `response` lets pages read it; undefined when that cannot be told. */
  readonly allowsPages: (response: Response) => boolean | undefined;
}

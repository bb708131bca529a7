// What all calls have in common: sources, progress, aborts, how a source is fetched.
/** Where a model file comes from. A string is a URL; in Node also a path. */
export type ModelSource =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | Uint8Array
  | ReadableStream<Uint8Array>
  | { readonly path: string };

/** One monotone report for long work. `total` is 0 while unknown; units are bytes, texts, questions, layers, tensors or tokens, and
 *  thousandths for `train`, which comes before `convert` where centroids are learnt or n-grams are listed. */
export interface Progress {
  readonly phase:
    | 'download'
    | 'load'
    | 'validate'
    | 'train'
    | 'calibrate'
    | 'convert'
    | 'embed'
    | 'accuracy'
    | 'classify'
    | 'prompt'
    | 'generate'
    | 'perplexity';
  readonly loaded: number;
  readonly total: number;
  /** True when the bytes came from a cache and not from the network; when an index is made with `keep`, how
   *  many passages had their vectors kept. */
  readonly cached: boolean | number;
  /** Something that went wrong although the work goes on: the storage is full, the server is away. */
  readonly note?: string | undefined;
}

/** Options of everything that can take long. An abort rejects with a DOM `AbortError`. */
export interface JobOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** How a source is fetched, kept and checked. */
export interface FetchOptions {
  /**
   * Keep what is downloaded whole from an http(s) URL, continue it after a reload, and use it again as
   * long as the server says that it is the same. `true`: in the browser's storage (its private files,
   * else the Cache API); in Node in `directory`, or in the user's cache directory. Off when absent.
   */
  readonly cache?: boolean | { readonly directory: string };
  /** Refuse a file with any other SHA-256, in hexadecimal. The whole file is read for it. */
  readonly sha256?: string;
}

/** Where the WebAssembly and the worker come from; all optional, for bundlers and edge runtimes. */
export interface RuntimeOptions {
  /** URL of the `.wasm` file to fetch instead of the packaged one: a copy of the package's
   *  `ambry/ambry-baseline.wasm` or `ambry/ambry-relaxed.wasm`, which hold every call. */
  readonly wasmUrl?: string | URL;
  /** The bytes of the `.wasm` file. */
  readonly wasmBinary?: ArrayBuffer | Uint8Array;
  /** A compiled module, for runtimes that forbid compiling bytes. */
  readonly wasmModule?: WebAssembly.Module;
  /** Numbers that are the same to the last bit on every machine: runs the baseline build, in which encoders with
   *  int8 weights take nearly twice as long. WebAssembly that is passed in decides by itself. */
  readonly deterministic?: boolean;
  /** Makes the worker; its script must be the package's `ambry/worker` entry. */
  readonly createWorker?: () => Worker;
}

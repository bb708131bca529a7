// Where the WebAssembly and the workers come from.

/** All are optional. They are for bundlers and edge runtimes. */
export interface RuntimeOptions {
  /** Where to fetch the WebAssembly. A URL that ends with a slash is a folder with copies of the package's own files, which
   *  are `ambry/wasm/*.wasm` to bundlers and `node_modules/ambry/dist/wasm` on disk. Another URL is that of one file with
   *  every call: a copy of `ambry-whole/ambry-baseline.wasm` or `ambry-whole/ambry-relaxed.wasm`. */
  readonly wasmUrl?: string | URL;
  /** The bytes of the `.wasm` file. */
  readonly wasmBinary?: ArrayBuffer | Uint8Array;
  /** A compiled module, for runtimes that do not allow bytes to be compiled. */
  readonly wasmModule?: WebAssembly.Module;
  /** Gives the same numbers, to the last bit, on every machine. Encoders with int8 weights and models that generate text
   *  do so without it; for encoders with f32 weights and picture networks it is needed. This runs the baseline build, in
   *  which int8 weights take nearly twice as long. It has no effect on WebAssembly that the caller passes in. */
  readonly deterministic?: boolean;
  /** Makes the worker. Its script must be the package's `ambry/worker` entry. */
  readonly createWorker?: () => Worker;
}

/** Sent once to every new worker, before any call. It says where the worker's WebAssembly comes from. */
export interface Greeting {
  /** The worker's name, because a script may serve several. */
  readonly worker: string;
  readonly wasmUrl?: string | undefined;
  readonly wasmBinary?: Uint8Array<ArrayBuffer> | undefined;
  readonly wasmModule?: WebAssembly.Module | undefined;
  readonly deterministic?: boolean | undefined;
}

/** RGBA values, row by row, not multiplied by alpha. An `ImageData` is one. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

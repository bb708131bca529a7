// The files that web/build/bundle.mjs makes here of the worker with every call and its WebAssembly.

/** Base64 of the gzipped script of `ambry/worker`. */
export const script: string;
/** Base64 of the gzipped `ambry-baseline.wasm`. */
export const loadWasm: () => Promise<string>;

// The files that web/bundle.mjs makes of the worker with every call and its WebAssembly, beside it.

/** Base64 of the gzipped script of `ambry/worker`. */
export const script: string;
/** Base64 of the gzipped `ambry-baseline.wasm`. */
export const loadWasm: () => Promise<string>;

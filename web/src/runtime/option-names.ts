// The options that many calls take.
import { address, callback, flag, type Kind, number, object, signal, text } from '../base/kinds.ts';
import type { OptionNames } from '../base/options.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { CachePlace, FetchOptions, HubOptions } from '../sources/base/types.ts';

const bytes: Kind = {
  words: 'bytes',
  is: (value) => value instanceof ArrayBuffer || value instanceof Uint8Array,
};

const cachePlace: OptionNames<CachePlace> = { directory: text, keep: flag };
const hub: OptionNames<HubOptions> = { endpoint: address, token: text };

export const jobOptionNames: OptionNames<JobOptions> = { signal, onProgress: callback };
export const runtimeOptionNames: OptionNames<RuntimeOptions> = {
  wasmUrl: address,
  wasmBinary: bytes,
  wasmModule: { words: 'a WebAssembly.Module', is: (value) => value instanceof WebAssembly.Module },
  deterministic: flag,
  createWorker: callback,
};
export const fetchOptionNames: OptionNames<FetchOptions> = {
  cache: {
    words: 'true, false or an object',
    is: (value) => flag.is(value) || object.is(value),
    options: cachePlace,
  },
  sha256: text,
  stallTimeout: number,
  hub: { ...object, options: hub },
  followBase: flag,
};

/** The options of a job that reads a source in a worker. */
export const sourceJobNames: OptionNames<JobOptions & RuntimeOptions & FetchOptions> = {
  ...jobOptionNames,
  ...runtimeOptionNames,
  ...fetchOptionNames,
};

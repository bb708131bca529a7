// The names of options that many calls take.
import type { OptionNames } from '../base/options.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { CachePlace, FetchOptions, HubOptions } from '../sources/base/types.ts';

const cacheNames: OptionNames<CachePlace> = { directory: true, keep: true };
const hubNames: OptionNames<HubOptions> = { endpoint: true, token: true };

export const jobOptionNames: OptionNames<JobOptions> = { signal: true, onProgress: true };
export const runtimeOptionNames: OptionNames<RuntimeOptions> = {
  wasmUrl: true,
  wasmBinary: true,
  wasmModule: true,
  deterministic: true,
  createWorker: true,
};
export const fetchOptionNames: OptionNames<FetchOptions> = {
  cache: cacheNames,
  sha256: true,
  stallTimeout: true,
  hub: hubNames,
};

/** The options of a job that reads a source in a worker. */
export const sourceJobNames: OptionNames<JobOptions & RuntimeOptions & FetchOptions> = {
  ...jobOptionNames,
  ...runtimeOptionNames,
  ...fetchOptionNames,
};

// Opening a model.
import type { FetchOptions, JobOptions, RuntimeOptions } from './job.ts';

/** How weights are held for running. `as-stored` keeps int8 as int8 and widens f16 and bf16 to f32. */
export type WeightStorage = 'as-stored' | 'int8' | 'f32';

export interface OpenOptions extends JobOptions, RuntimeOptions, FetchOptions {
  readonly weights?: WeightStorage;
}

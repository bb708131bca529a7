// The module that opens sentence encoders and indexes and runs them.

import type { PackagedModule } from '../runtime/worker-wasm.ts';
import type { RunModule } from '../wasm/ambry.mjs';
import create from '../wasm/ambry-run.mjs';

// The URLs are spelled out so that bundlers see them and ship the files.
export const moduleEncoder: PackagedModule<RunModule> = {
  create,
  baseline: new URL('../wasm/ambry-run-baseline.wasm', import.meta.url),
  relaxed: new URL('../wasm/ambry-run-relaxed.wasm', import.meta.url),
};

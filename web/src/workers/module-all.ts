// The module with everything.

import type { PackagedModule } from '../runtime/worker-wasm.ts';
import type { AmbryModule } from '../wasm/ambry.mjs';
import create from '../wasm/ambry.mjs';

// The URLs are spelled out so that bundlers see them and ship the files.
export const moduleAll: PackagedModule<AmbryModule> = {
  create,
  baseline: new URL('../wasm/ambry-baseline.wasm', import.meta.url),
  relaxed: new URL('../wasm/ambry-relaxed.wasm', import.meta.url),
};

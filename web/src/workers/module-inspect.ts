// The module for looking into files alone.

import type { PackagedModule } from '../runtime/worker-wasm.ts';
import type { InspectModule } from '../wasm/ambry.mjs';
import create from '../wasm/ambry-inspect.mjs';

// The URLs are spelled out so that bundlers see them and ship the files.
export const moduleInspect: PackagedModule<InspectModule> = {
  create,
  baseline: new URL('../wasm/ambry-inspect-baseline.wasm', import.meta.url),
  relaxed: new URL('../wasm/ambry-inspect-relaxed.wasm', import.meta.url),
};

// The module for generating text alone.

import type { PackagedModule } from '../runtime/worker-wasm.ts';
import type { GenerateModule } from '../wasm/ambry.mjs';
import create from '../wasm/ambry-generate.mjs';

// The URLs are spelled out so that bundlers see them and ship the files.
export const moduleGenerator: PackagedModule<GenerateModule> = {
  create,
  baseline: new URL('../wasm/ambry-generate-baseline.wasm', import.meta.url),
  relaxed: new URL('../wasm/ambry-generate-relaxed.wasm', import.meta.url),
};

// The module for conversion, and for looking into files.

import type { PackagedModule } from '../runtime/worker-wasm.ts';
import type { ConvertModule } from '../wasm/ambry.mjs';
import create from '../wasm/ambry-convert.mjs';

// The URLs are spelled out so that bundlers see them and ship the files.
export const moduleConvert: PackagedModule<ConvertModule> = {
  create,
  baseline: new URL('../wasm/ambry-convert-baseline.wasm', import.meta.url),
  relaxed: new URL('../wasm/ambry-convert-relaxed.wasm', import.meta.url),
};

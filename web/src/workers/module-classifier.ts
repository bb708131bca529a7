// The module for classifying pictures alone.

import type { PackagedModule } from '../runtime/worker-wasm.ts';
import type { ClassifyModule } from '../wasm/ambry.mjs';
import create from '../wasm/ambry-classify.mjs';

// The URLs are spelled out so that bundlers see them and ship the files.
export const moduleClassifier: PackagedModule<ClassifyModule> = {
  create,
  baseline: new URL('../wasm/ambry-classify-baseline.wasm', import.meta.url),
  relaxed: new URL('../wasm/ambry-classify-relaxed.wasm', import.meta.url),
};

// The module for tokenizers by themselves alone.

import type { PackagedModule } from '../runtime/worker-wasm.ts';
import type { TokenizeModule } from '../wasm/ambry.mjs';
import create from '../wasm/ambry-tokenize.mjs';

// The URLs are spelled out so that bundlers see them and ship the files.
export const moduleTokenizer: PackagedModule<TokenizeModule> = {
  create,
  baseline: new URL('../wasm/ambry-tokenize-baseline.wasm', import.meta.url),
  relaxed: new URL('../wasm/ambry-tokenize-relaxed.wasm', import.meta.url),
};

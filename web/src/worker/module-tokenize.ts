// The module for tokenizers by themselves alone.

import type { TokenizeModule } from '../wasm/ambry.mjs';
import create from '../wasm/ambry-tokenize.mjs';
import type { PackagedModule } from './wasm.ts';

// The URLs are spelled out so that bundlers see them and ship the files.
export const moduleTokenize: PackagedModule<TokenizeModule> = {
  create,
  baseline: new URL('../wasm/ambry-tokenize-baseline.wasm', import.meta.url),
  relaxed: new URL('../wasm/ambry-tokenize-relaxed.wasm', import.meta.url),
};

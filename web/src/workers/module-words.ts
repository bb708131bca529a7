// The module for word vectors alone.

import type { PackagedModule } from '../runtime/worker-wasm.ts';
import type { WordsModule } from '../wasm/ambry.mjs';
import create from '../wasm/ambry-words.mjs';

// The URLs are spelled out so that bundlers see them and ship the files.
export const moduleWords: PackagedModule<WordsModule> = {
  create,
  baseline: new URL('../wasm/ambry-words-baseline.wasm', import.meta.url),
  relaxed: new URL('../wasm/ambry-words-relaxed.wasm', import.meta.url),
};

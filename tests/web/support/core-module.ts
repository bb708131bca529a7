// The built modules, in this process and without a worker.

import { readFile } from 'node:fs/promises';
import { unwrap } from '../../../web/src/runtime/worker-heap.ts';
import { makeInstance } from '../../../web/src/runtime/worker-instance.ts';
import type {
  AmbryModule,
  CoreModule,
  GeneratorModule,
  ModuleGlue,
  TokenizerModel,
  TokenizerModule,
} from '../../../web/src/wasm/module.mjs';
import { moduleAmbry } from '../../../web/src/wasm/module-ambry.ts';
import { moduleGenerator } from '../../../web/src/wasm/module-generator.ts';
import { moduleTokenizer } from '../../../web/src/wasm/module-tokenizer.ts';

/** The one with everything. */
export function loadModule(): Promise<AmbryModule> {
  return load(moduleAmbry, 'ambry-baseline.wasm');
}

/** The one that generates text. */
export function loadGenerateModule(flavour: 'baseline' | 'relaxed'): Promise<GeneratorModule> {
  return load(moduleGenerator, `ambry-generator-${flavour}.wasm`);
}

/** The one that has tokenizers by themselves. */
export function loadTokenizerModule(): Promise<TokenizerModule> {
  return load(moduleTokenizer, 'ambry-tokenizer-baseline.wasm');
}

/** The tokenizer of a file. */
export function openTokenizerIn(module: TokenizerModule, file: Uint8Array): TokenizerModel {
  const source = unwrap(module.createSource(file.length, false));
  try {
    unwrap(module.insert(source, 0, file));
    const loader = unwrap(module.beginLoad('tokenizer', source, '{}'));
    const opened = unwrap(module.finishLoad(loader)) as TokenizerModel;
    module.release(loader);
    return opened;
  } finally {
    module.release(source);
  }
}

async function load<M extends CoreModule>(glue: ModuleGlue<M>, name: string): Promise<M> {
  const file = new URL(`../../../web/src/wasm/${name}`, import.meta.url);
  const compiled = await WebAssembly.compile(await readFile(file));
  return (await makeInstance(glue, compiled, false)).module;
}

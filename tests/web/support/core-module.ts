// The built modules, in this process and without a worker.

import { readFile } from 'node:fs/promises';
import createAmbryModule from '../../../web/src/wasm/ambry.mjs';
import createGenerateModule from '../../../web/src/wasm/ambry-generate.mjs';
import type { AmbryModule, CreateModule, GenerateModule } from '../../../web/src/wasm/module.mjs';

/** The one with everything. */
export function loadModule(): Promise<AmbryModule> {
  return load(createAmbryModule, 'ambry-baseline.wasm');
}

/** The one that generates text. */
export function loadGenerateModule(flavour: 'baseline' | 'relaxed'): Promise<GenerateModule> {
  return load(createGenerateModule, `ambry-generate-${flavour}.wasm`);
}

async function load<M>(create: CreateModule<M>, name: string): Promise<M> {
  const file = new URL(`../../../web/src/wasm/${name}`, import.meta.url);
  const compiled = await WebAssembly.compile(await readFile(file));
  return create({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(compiled, imports).then((it) => receive(it, compiled));
      return {};
    },
  });
}

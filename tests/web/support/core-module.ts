// The built modules, in this process and without a worker.

import { readFile } from 'node:fs/promises';
import createAmbryModule, {
  type AmbryModule,
  type GenerateModule,
} from '../../../web/src/wasm/ambry.mjs';
import createGenerateModule from '../../../web/src/wasm/ambry-generate.mjs';

/** The one with everything. */
export function loadModule(): Promise<AmbryModule> {
  return load(createAmbryModule, 'ambry-baseline.wasm');
}

/** The one that generates text. */
export function loadGenerateModule(flavour: 'baseline' | 'relaxed'): Promise<GenerateModule> {
  return load(createGenerateModule, `ambry-generate-${flavour}.wasm`);
}

async function load(create: typeof createAmbryModule, name: string): Promise<AmbryModule> {
  const file = new URL(`../../../web/src/wasm/${name}`, import.meta.url);
  const compiled = await WebAssembly.compile(await readFile(file));
  return create({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(compiled, imports).then((it) => receive(it, compiled));
      return {};
    },
  });
}

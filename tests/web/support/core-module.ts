// The built modules, in this process and without a worker.

import { readFile } from 'node:fs/promises';
import { makeInstance } from '../../../web/src/runtime/worker-instance.ts';
import type {
  AmbryModule,
  CoreModule,
  GenerateModule,
  ModuleGlue,
} from '../../../web/src/wasm/module.mjs';
import { moduleAmbry } from '../../../web/src/wasm/module-ambry.ts';
import { moduleGenerate } from '../../../web/src/wasm/module-generate.ts';

/** The one with everything. */
export function loadModule(): Promise<AmbryModule> {
  return load(moduleAmbry, 'ambry-baseline.wasm');
}

/** The one that generates text. */
export function loadGenerateModule(flavour: 'baseline' | 'relaxed'): Promise<GenerateModule> {
  return load(moduleGenerate, `ambry-generate-${flavour}.wasm`);
}

async function load<M extends CoreModule>(glue: ModuleGlue<M>, name: string): Promise<M> {
  const file = new URL(`../../../web/src/wasm/${name}`, import.meta.url);
  const compiled = await WebAssembly.compile(await readFile(file));
  return (await makeInstance(glue, compiled, false)).module;
}

// The built modules, in this process and without a worker.

import { readFile } from 'node:fs/promises';
import { makeInstance } from '../../../web/src/runtime/worker-instance.ts';
import type {
  AmbryModule,
  CoreModule,
  GeneratorModule,
  ModuleGlue,
} from '../../../web/src/wasm/module.mjs';
import { moduleAmbry } from '../../../web/src/wasm/module-ambry.ts';
import { moduleGenerator } from '../../../web/src/wasm/module-generator.ts';

/** The one with everything. */
export function loadModule(): Promise<AmbryModule> {
  return load(moduleAmbry, 'ambry-baseline.wasm');
}

/** The one that generates text. */
export function loadGenerateModule(flavour: 'baseline' | 'relaxed'): Promise<GeneratorModule> {
  return load(moduleGenerator, `ambry-generator-${flavour}.wasm`);
}

async function load<M extends CoreModule>(glue: ModuleGlue<M>, name: string): Promise<M> {
  const file = new URL(`../../../web/src/wasm/${name}`, import.meta.url);
  const compiled = await WebAssembly.compile(await readFile(file));
  return (await makeInstance(glue, compiled, false)).module;
}

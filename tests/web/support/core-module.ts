// The built module with everything, in this process and without a worker.

import { readFile } from 'node:fs/promises';
import createAmbryModule, { type AmbryModule } from '../../../web/src/wasm/ambry.mjs';

const baseline = new URL('../../../web/src/wasm/ambry-baseline.wasm', import.meta.url);

export async function loadModule(): Promise<AmbryModule> {
  const compiled = await WebAssembly.compile(await readFile(baseline));
  return createAmbryModule({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(compiled, imports).then((it) => receive(it, compiled));
      return {};
    },
  });
}

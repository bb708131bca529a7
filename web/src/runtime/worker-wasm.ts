// Loads the WebAssembly: the packaged flavour that this engine can run. A worker's entry says of which module, by the
// loader that it imports (wasm/module-run.ts); worker-custom-wasm.ts takes what the caller passed in.
import { AmbryError, messageOf } from '../errors.ts';
import type { CoreModule, PackagedModule, PackagedUrls } from '../wasm/module.mjs';
import { hasRelaxedSimd, hasSimd } from './simd-support.ts';
import { memoryImport } from './worker-shared-wasm.ts';

const packagingHint =
  'Serve the package’s .wasm files as they are, or pass `wasmUrl`, `wasmBinary` or `wasmModule`.';

export const pageBytes = 65536;

/** `heap`: what the memory of another instance of this module holds, for the new one to go on from; in `memory`, if
 *  the module is over that. */
export function loadWasm<M extends CoreModule>(
  packaged: PackagedModule<M>,
  compiled: WebAssembly.Module,
  heap?: Uint8Array,
  memory?: WebAssembly.Memory,
): Promise<M> {
  return new Promise((resolve, reject) => {
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => {
      // What runs when it starts reads the module's constants, and is undone by the heap afterwards.
      if (heap && memory) new Uint8Array(memory.buffer).set(heap);
      WebAssembly.instantiate(compiled, memory ? withMemory(imports, memory) : imports)
        .then((instance) => {
          if (heap && !memory) growTo(instance, heap.length);
          receive(instance, compiled);
        })
        .catch((error: unknown) => reject(unfit(error)));
      return {};
    };
    packaged
      .create({ instantiateWasm })
      .then((module) => {
        if (heap) module.HEAPU8.set(heap);
        resolve(module);
      })
      .catch(reject);
  });
}

export function withMemory(
  imports: WebAssembly.Imports,
  memory: WebAssembly.Memory,
): WebAssembly.Imports {
  return { ...imports, [memoryImport.module]: { [memoryImport.name]: memory } };
}

/** To be called before the glue receives the instance: it looks at the memory then, and not again. */
function growTo({ exports }: WebAssembly.Instance, bytes: number): void {
  for (const memory of Object.values(exports)) {
    if (memory instanceof WebAssembly.Memory)
      memory.grow((bytes - memory.buffer.byteLength) / pageBytes);
  }
}

function fetchWasm(url: URL): Promise<Response> {
  return fetch(url).catch((error: unknown) => {
    throw new AmbryError(
      'Http',
      `The WebAssembly did not load: ${url}: ${messageOf(error)}. ${packagingHint}`,
    );
  });
}

/** The bytes of a module that is here already. */
export async function bytesFrom(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await fetchWasm(url)).arrayBuffer());
}

export async function compileFrom(url: URL): Promise<WebAssembly.Module> {
  const response = await fetchWasm(url);
  const type = response.headers.get('content-type') ?? 'no content-type';
  if (response.ok && type.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response).catch((error: unknown) => {
      throw unfit(error);
    });
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const found = `${url} answered ${response.status} ${response.statusText} (${type})`;
  if (!response.ok)
    throw new AmbryError('Http', `The WebAssembly did not load: ${found}. ${packagingHint}`);
  return compileBytes(bytes, found);
}

/** The flavour for this engine. Where there are two, only the baseline computes the same on every machine. */
export function runnable({ relaxed, baseline }: PackagedUrls, deterministic = false): URL {
  if (relaxed && hasRelaxedSimd() && !deterministic) return relaxed;
  if (hasSimd()) return baseline;
  const fix = 'Update it: Chrome 91, Firefox 89, Safari 16.4 and Node 20 have it.';
  throw new AmbryError('Unsupported', `This engine has no WebAssembly SIMD. ${fix}`);
}

export async function compileBytes(
  bytes: Uint8Array<ArrayBuffer>,
  found: string,
): Promise<WebAssembly.Module> {
  const isWasm = bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
  if (!isWasm) {
    const head = JSON.stringify(new TextDecoder('latin1').decode(bytes.subarray(0, 16)));
    throw new AmbryError(
      'Http',
      `Not WebAssembly: ${found}; it begins with ${head}. ${packagingHint}`,
    );
  }
  return WebAssembly.compile(bytes).catch((error: unknown) => {
    throw unfit(error);
  });
}

function unfit(error: unknown): AmbryError {
  const message = messageOf(error);
  const fix = /unsafe-eval|content security policy/i.test(message)
    ? "Add 'wasm-unsafe-eval' to script-src of the Content-Security-Policy."
    : 'Is it the file of this version of the package?';
  return new AmbryError('Unsupported', `The WebAssembly cannot be used: ${message}. ${fix}`);
}

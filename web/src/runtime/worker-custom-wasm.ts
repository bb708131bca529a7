// WebAssembly that the caller brings: a URL, bytes, or a compiled module. Only the module with every
// call may be replaced, so the workers with less do without this.
import type { PackagedUrls } from '../wasm/module.mjs';
import type { Greeting } from './types.ts';
import { compileBytes, compileFrom, runnable } from './worker-wasm.ts';

/** Reads a file beside the package; in Node, whose fetch takes no file: URLs. */
export type ReadFile = (url: URL) => Promise<Uint8Array<ArrayBuffer>>;

/** Compiles what the caller brought, or else the packaged module. */
export type CustomWasm = (packaged: PackagedUrls) => Promise<WebAssembly.Module>;

export function customWasm(greeting: Greeting, readFile?: ReadFile): CustomWasm {
  const { wasmUrl, wasmBinary, wasmModule, deterministic } = greeting;
  return async (packaged) => {
    if (wasmModule) return wasmModule;
    if (wasmBinary) return compileBytes(wasmBinary, 'wasmBinary');
    const url = wasmUrl === undefined ? runnable(packaged, deterministic) : new URL(wasmUrl);
    return readFile && url.protocol === 'file:'
      ? compileBytes(await readFile(url), url.href)
      : compileFrom(url);
  };
}

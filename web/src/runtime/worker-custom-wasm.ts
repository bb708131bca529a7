// WebAssembly that the caller brings: a URL, bytes, or a compiled module. Only the module with every
// call may be replaced, so the workers with less do without this.
import type { Greeting } from '../platform/types.ts';
import { compileBytes, compileFrom, type WasmFile } from './worker-wasm.ts';

/** Reads a file beside the package; in Node, whose fetch takes no file: URLs. */
export type ReadFile = (url: URL) => Promise<Uint8Array<ArrayBuffer>>;

/** Compiles what the caller brought, or else the packaged module. */
export type CustomWasm = (packaged: () => WasmFile) => Promise<WebAssembly.Module>;

export function customWasm(greeting: Greeting, readFile?: ReadFile): CustomWasm {
  const { wasmUrl, wasmBinary, wasmModule } = greeting;
  return async (packaged) => {
    if (wasmModule) {
      return wasmModule;
    }
    if (wasmBinary) {
      return compileBytes(wasmBinary, 'wasmBinary');
    }
    const file = wasmUrl === undefined ? packaged() : { url: new URL(wasmUrl) };
    return readFile && file.url.protocol === 'file:'
      ? compileBytes(await readFile(file.url), file.url.href, file.sharedAt)
      : compileFrom(file);
  };
}

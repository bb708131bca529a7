// WebAssembly that the caller brings: a folder with the files of the package, or a URL, bytes or a compiled module of the one
// that has every call. The workers with less do without this.
import { isFolder } from '../platform/custom-wasm.ts';
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
    const file = fileAt(wasmUrl, packaged);
    return readFile && file.url.protocol === 'file:'
      ? compileBytes(await readFile(file.url), file.url.href, file.sharedAt)
      : compileFrom(file);
  };
}

function fileAt(wasmUrl: string | undefined, packaged: () => WasmFile): WasmFile {
  if (wasmUrl === undefined) {
    return packaged();
  }
  if (!isFolder(wasmUrl)) {
    return { url: new URL(wasmUrl) };
  }
  const { name = '', ...file } = packaged();
  return { ...file, url: new URL(name, wasmUrl) };
}

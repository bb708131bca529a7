// WebAssembly that the caller brings: a URL, bytes, or a compiled module. Only the module with every
// call may be replaced, so the small worker does without this.
import type { Greeting } from '../rpc/protocol.ts';
import { bytesFrom, compileBytes, compileFrom, type PackagedUrls, runnable } from './wasm.ts';

/** Reads a file beside the package; in Node, whose fetch takes no file: URLs. */
export type ReadFile = (url: URL) => Promise<Uint8Array<ArrayBuffer>>;

export interface Brought {
  readonly compile: (packaged: PackagedUrls) => Promise<WebAssembly.Module>;
  /** Its bytes; none where the caller compiled it. */
  readonly bytes: (packaged: PackagedUrls) => Promise<Uint8Array> | undefined;
}

export function brought(greeting: Greeting, readFile?: ReadFile): Brought {
  const { wasmUrl, wasmBinary, wasmModule, deterministic } = greeting;
  const urlOf = (packaged: PackagedUrls) =>
    wasmUrl === undefined ? runnable(packaged, deterministic) : new URL(wasmUrl);
  const isFile = (url: URL): boolean => readFile !== undefined && url.protocol === 'file:';
  return {
    compile: async (packaged) => {
      if (wasmModule) return wasmModule;
      if (wasmBinary) return compileBytes(wasmBinary, 'wasmBinary');
      const url = urlOf(packaged);
      if (readFile && isFile(url)) return compileBytes(await readFile(url), url.href);
      return compileFrom(url);
    },
    bytes: (packaged) => {
      if (wasmModule) return undefined;
      if (wasmBinary) return Promise.resolve(wasmBinary);
      const url = urlOf(packaged);
      return readFile && isFile(url) ? readFile(url) : bytesFrom(url);
    },
  };
}

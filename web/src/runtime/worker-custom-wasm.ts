// WebAssembly that the caller brings: a URL, bytes, or a compiled module. Only the module with every
// call may be replaced, so the workers with less do without this.
import type { PackagedUrls } from '../wasm/module.mjs';
import type { Greeting } from './types.ts';
import { bytesFrom, compileBytes, compileFrom, runnable } from './worker-wasm.ts';

/** Reads a file beside the package; in Node, whose fetch takes no file: URLs. */
export type ReadFile = (url: URL) => Promise<Uint8Array<ArrayBuffer>>;

export interface CustomWasm {
  readonly compile: (packaged: PackagedUrls) => Promise<WebAssembly.Module>;
  /** Its bytes; none where the caller compiled it. */
  readonly bytes: (packaged: PackagedUrls) => Promise<Uint8Array> | undefined;
}

export function customWasm(greeting: Greeting, readFile?: ReadFile): CustomWasm {
  const { wasmUrl, wasmBinary, wasmModule, deterministic } = greeting;
  const urlFor = (packaged: PackagedUrls) =>
    wasmUrl === undefined ? runnable(packaged, deterministic) : new URL(wasmUrl);
  /** What need not be fetched, with its name. */
  const near = (packaged: PackagedUrls) => {
    if (wasmBinary) return { name: 'wasmBinary', bytes: Promise.resolve(wasmBinary) };
    const url = urlFor(packaged);
    const isFile = readFile !== undefined && url.protocol === 'file:';
    return isFile ? { name: url.href, bytes: readFile(url) } : undefined;
  };
  return {
    compile: async (packaged) => {
      if (wasmModule) return wasmModule;
      const held = near(packaged);
      return held ? compileBytes(await held.bytes, held.name) : compileFrom(urlFor(packaged));
    },
    bytes: (packaged) =>
      wasmModule ? undefined : (near(packaged)?.bytes ?? bytesFrom(urlFor(packaged))),
  };
}

// WebAssembly that the caller brings: a URL, bytes, or a compiled module. Only the module with every
// call may be replaced, so the small worker does without this.
import type { Greeting } from '../rpc/protocol.ts';
import { compileBytes, compileFrom, type PackagedUrls, runnable } from './wasm.ts';

/** Reads a file beside the package; in Node, whose fetch takes no file: URLs. */
export type ReadFile = (url: URL) => Promise<Uint8Array<ArrayBuffer>>;

export type Compile = (packaged: PackagedUrls) => Promise<WebAssembly.Module>;

export function compileFor(greeting: Greeting, readFile?: ReadFile): Compile {
  return async (packaged) => {
    if (greeting.wasmModule) return greeting.wasmModule;
    if (greeting.wasmBinary) return compileBytes(greeting.wasmBinary, 'wasmBinary');
    const { wasmUrl, deterministic } = greeting;
    const url = wasmUrl === undefined ? runnable(packaged, deterministic) : new URL(wasmUrl);
    if (readFile && url.protocol === 'file:') return compileBytes(await readFile(url), url.href);
    return compileFrom(url);
  };
}

// Fetches and compiles the WebAssembly: the packaged flavour that this engine can run. A worker's entry says of which
// module, by the loader that it imports (wasm/module-encoder-small.ts); worker-custom-wasm.ts takes what the caller passed in.
import { AmbryError, messageOf } from '../base/errors.ts';
import { withoutStop } from '../base/without-stop.ts';
import type { CoreModule, ModuleGlue, PackagedUrls } from '../wasm/module.mjs';
import { hasRelaxedSimd, hasSimd, wasmHead } from './simd-support.ts';

/** A module whose WebAssembly is in the package, or which the caller brings. */
export type AnyModule<M> = ModuleGlue<M> & Partial<PackagedUrls>;

/** In the flags of a memory's limits (wasm/memory-flag.mjs). */
const sharedFlag = 0b10;

const packagingHint =
  'Serve the package’s .wasm files as they are, or pass `wasmUrl`, `wasmBinary` or `wasmModule`.';

function fetchWasm(url: URL): Promise<Response> {
  return fetch(url).catch((error: unknown) => {
    throw new AmbryError(
      'Http',
      `The WebAssembly did not load: ${url}: ${withoutStop(messageOf(error))}. ${packagingHint}`,
    );
  });
}

/** A packaged file. */
export interface WasmFile {
  readonly url: URL;
  /** The name of the file in the package: `ambry-encoder-small-relaxed.wasm`. */
  readonly name?: string;
  /** The byte that says that the module's memory is shared, which is then to be set. */
  readonly sharedAt?: number | undefined;
}

export async function compileFrom({ url, sharedAt }: WasmFile): Promise<WebAssembly.Module> {
  const response = await fetchWasm(url);
  const type = response.headers.get('content-type') ?? 'no content-type';
  if (sharedAt === undefined && response.ok && type.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response).catch((error: unknown) => {
      throw unfit(error);
    });
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const found = `${url} answered ${response.status} ${response.statusText} (${type})`;
  if (!response.ok) {
    throw new AmbryError('Http', `The WebAssembly did not load: ${found}. ${packagingHint}`);
  }
  return compileBytes(bytes, found, sharedAt);
}

/** The flavour for this engine. Where there are two, only the baseline computes the same on every machine. */
export function runnable(
  { name, relaxed, baseline, sharedAt }: AnyModule<CoreModule>,
  deterministic = false,
  sharesMemory = false,
): WasmFile {
  const flags = sharesMemory ? sharedAt : undefined;
  if (relaxed && hasRelaxedSimd() && !deterministic) {
    return { url: relaxed, name: `${name}-relaxed.wasm`, sharedAt: flags?.relaxed };
  }
  if (hasSimd() && baseline) {
    return { url: baseline, name: `${name}-baseline.wasm`, sharedAt: flags?.baseline };
  }
  const fix = 'Update it: Chrome 91, Firefox 89, Safari 16.4 and Node 20 have it.';
  throw new AmbryError('Unsupported', `This engine has no WebAssembly SIMD. ${fix}`);
}

export async function compileBytes(
  bytes: Uint8Array<ArrayBuffer>,
  found: string,
  sharedAt?: number,
): Promise<WebAssembly.Module> {
  const isWasm = wasmHead.slice(0, 4).every((byte, i) => bytes[i] === byte);
  if (!isWasm) {
    const head = JSON.stringify(new TextDecoder('latin1').decode(bytes.subarray(0, 16)));
    throw new AmbryError(
      'Http',
      `Not WebAssembly: ${found}; it begins with ${head}. ${packagingHint}`,
    );
  }
  if (sharedAt !== undefined) {
    bytes[sharedAt] = (bytes[sharedAt] ?? 0) | sharedFlag;
  }
  return WebAssembly.compile(bytes).catch((error: unknown) => {
    throw unfit(error);
  });
}

/** Why an engine refuses the WebAssembly, and what to do. */
export function unfit(error: unknown): AmbryError {
  const message = messageOf(error);
  const fix = /unsafe-eval|content security policy/i.test(message)
    ? "Add 'wasm-unsafe-eval' to script-src of the Content-Security-Policy."
    : 'Is it the file of this version of the package?';
  return new AmbryError('Unsupported', `The WebAssembly cannot be used: ${message}. ${fix}`);
}

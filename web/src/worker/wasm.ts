// Loads the WebAssembly: the packaged flavour that this engine can run, or what the caller passed in.
import { AmbryError, messageOf } from '../errors.ts';
import { hasRelaxedSimd, hasSimd } from '../probe.ts';
import type { Greeting } from '../rpc/protocol.ts';
import createAmbryModule, { type AmbryModule } from '../wasm/ambry.mjs';

/** Reads a file beside the package; in Node, whose fetch takes no file: URLs. */
export type ReadFile = (url: URL) => Promise<Uint8Array<ArrayBuffer>>;

const kFix =
  'Serve the package’s .wasm files as they are, or pass `wasmUrl`, `wasmBinary` or `wasmModule`.';

export async function loadWasm(greeting: Greeting, readFile?: ReadFile): Promise<AmbryModule> {
  const compiled = greeting.wasmModule ?? (await compile(greeting, readFile));
  return new Promise((resolve, reject) => {
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => {
      WebAssembly.instantiate(compiled, imports).then(
        (instance) => receive(instance, compiled),
        (error: unknown) => reject(unfit(error)),
      );
      return {};
    };
    createAmbryModule({ instantiateWasm }).then(resolve, reject);
  });
}

async function compile(greeting: Greeting, readFile?: ReadFile): Promise<WebAssembly.Module> {
  if (greeting.wasmBinary) return compileBytes(greeting.wasmBinary, 'wasmBinary');
  const url = greeting.wasmUrl === undefined ? packagedUrl() : new URL(greeting.wasmUrl);
  if (readFile && url.protocol === 'file:') return compileBytes(await readFile(url), url.href);
  const response = await fetch(url).catch((error: unknown) => {
    throw new AmbryError(
      'Http',
      `The WebAssembly did not load: ${url}: ${messageOf(error)}. ${kFix}`,
    );
  });
  const type = response.headers.get('content-type') ?? 'no content-type';
  if (response.ok && type.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response).catch((error: unknown) => {
      throw unfit(error);
    });
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const found = `${url} answered ${response.status} ${response.statusText} (${type})`;
  if (!response.ok) throw new AmbryError('Http', `The WebAssembly did not load: ${found}. ${kFix}`);
  return compileBytes(bytes, found);
}

// Both URLs are spelled out so that bundlers see them and ship the files.
function packagedUrl(): URL {
  if (hasRelaxedSimd()) return new URL('../wasm/ambry-relaxed.wasm', import.meta.url);
  if (hasSimd()) return new URL('../wasm/ambry-baseline.wasm', import.meta.url);
  const fix = 'Update it: Chrome 91, Firefox 89, Safari 16.4 and Node 20 have it.';
  throw new AmbryError('Unsupported', `This engine has no WebAssembly SIMD. ${fix}`);
}

async function compileBytes(
  bytes: Uint8Array<ArrayBuffer>,
  found: string,
): Promise<WebAssembly.Module> {
  const isWasm = bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
  if (!isWasm) {
    const head = JSON.stringify(new TextDecoder('latin1').decode(bytes.subarray(0, 16)));
    throw new AmbryError('Http', `Not WebAssembly: ${found}; it begins with ${head}. ${kFix}`);
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

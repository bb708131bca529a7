// Loads the WebAssembly: the packaged flavour that this engine can run, or what the caller passed in.
// Which module that is, the worker's entry says (module-all.ts, module-run.ts).
import { AmbryError, messageOf } from '../errors.ts';
import { hasRelaxedSimd, hasSimd } from '../probe.ts';
import type { Greeting } from '../rpc/protocol.ts';
import type createAmbryModule from '../wasm/ambry.mjs';
import type { RunModule } from '../wasm/ambry.mjs';

/** Reads a file beside the package; in Node, whose fetch takes no file: URLs. */
export type ReadFile = (url: URL) => Promise<Uint8Array<ArrayBuffer>>;

const kFix =
  'Serve the package’s .wasm files as they are, or pass `wasmUrl`, `wasmBinary` or `wasmModule`.';

interface PackagedUrls {
  readonly baseline: URL;
  readonly relaxed: URL;
}

/** A module of the package: its glue, and its two flavours. */
export interface PackagedModule<M extends RunModule> extends PackagedUrls {
  readonly create: (...options: Parameters<typeof createAmbryModule>) => Promise<M>;
}

export async function loadWasm<M extends RunModule>(
  packaged: PackagedModule<M>,
  greeting: Greeting,
  readFile?: ReadFile,
): Promise<M> {
  const compiled = greeting.wasmModule ?? (await compile(packaged, greeting, readFile));
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
    packaged.create({ instantiateWasm }).then(resolve, reject);
  });
}

async function compile(
  packaged: PackagedUrls,
  greeting: Greeting,
  readFile?: ReadFile,
): Promise<WebAssembly.Module> {
  if (greeting.wasmBinary) return compileBytes(greeting.wasmBinary, 'wasmBinary');
  const url = greeting.wasmUrl === undefined ? runnable(packaged) : new URL(greeting.wasmUrl);
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

function runnable({ relaxed, baseline }: PackagedUrls): URL {
  if (hasRelaxedSimd()) return relaxed;
  if (hasSimd()) return baseline;
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

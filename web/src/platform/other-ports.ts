// How a page works whose worker scripts do not start. Bundlers that do not follow `new URL('./…', import.meta.url)` leave
// the scripts out; some runtimes have no workers.
import { AmbryError } from '../base/errors.ts';
import { notLoaded, type Port, webPort } from '../rpc/port.ts';
import { isCustom } from './custom-wasm.ts';
import {
  addressBeforeVite,
  addressOf,
  addressOfScript,
  lookFor,
  refusedByPolicy,
  type Starter,
  startOtherwise,
  startsOtherwise,
  workerAt,
} from './start-worker.ts';
import { startingPort } from './starting-port.ts';
import type { Greeting } from './types.ts';

/** Loads what runs every call on the caller's thread, where there are no workers. */
export type InThread = () => Promise<{ readonly inThreadPort: () => Port }>;

/** What the server answered where the scripts belong, once it is known that they are not there. That stays so. */
let absence: string | undefined;

export { startWorker } from './start-worker.ts';
export const areMissing = (): boolean => absence !== undefined;

/** `reason` is why the worker did not start. */
export async function portInstead(
  start: Starter,
  reason: unknown,
  inThread: InThread | undefined,
): Promise<Port> {
  if (reason instanceof AmbryError) {
    throw reason;
  }
  if (typeof Worker !== 'function') {
    return (await requireInThread(inThread)()).inThreadPort();
  }
  if (!startsOtherwise(reason)) {
    return portFor(start);
  }
  return startingPort(
    () => webPort(startOtherwise(start, reason)),
    async (second) => {
      if (second instanceof AmbryError) {
        throw second;
      }
      return portFor(start);
    },
  );
}

function requireInThread(inThread: InThread | undefined): InThread {
  if (inThread) {
    return inThread;
  }
  const message = "There are no workers here. Import from 'ambry/in-thread'.";
  throw new AmbryError('Unsupported', message);
}

async function portFor(start: Starter): Promise<Port> {
  const address = addressOf(start);
  const { answer, isScript } = absence === undefined ? await lookFor(address) : { answer: absence };
  // A page with a policy that serves the scripts never runs one from a blob.
  if (isScript) {
    throw refusedByPolicy(address);
  }
  const moved = addressBeforeVite(address);
  if (moved && (await lookFor(moved)).isScript) {
    return webPort(workerAt(moved));
  }
  const port = await embeddedPort(missing(address, answer));
  absence = answer;
  return port;
}

interface Embedded {
  /** The address of the script with every call. */
  readonly script: string;
  readonly wasmModule: WebAssembly.Module;
}

let unpacked: Promise<Embedded> | undefined;

/** What the package ambry-whole offers, once it is imported: texts, which every bundler takes along. */
interface WholePackage {
  /** Base64 of the gzipped script of `ambry/worker`. */
  readonly script: string;
  /** Base64 of the gzipped WebAssembly with every call. */
  readonly loadWasm: () => Promise<string>;
}

/** Runs the script and the WebAssembly of the package ambry-whole. */
async function embeddedPort(error: AmbryError): Promise<Port> {
  const load: unknown = Reflect.get(globalThis, Symbol.for('ambry-whole'));
  if (typeof load !== 'function') {
    throw error;
  }
  unpacked ??= unpack(load as () => Promise<WholePackage>);
  const { script, wasmModule } = await unpacked;
  const port = webPort(workerAt(script));
  return {
    ...port,
    post: (message, transfer) => port.post(withModule(message, wasmModule), transfer),
    listen: (onMessage, onCrash) =>
      port.listen(onMessage, (reason) => onCrash(reason === notLoaded ? error : reason)),
  };
}

async function unpack(load: () => Promise<WholePackage>): Promise<Embedded> {
  const { script, loadWasm } = await load();
  return {
    script: addressOfScript(await bytesOf(script)),
    wasmModule: await WebAssembly.compile(await bytesOf(await loadWasm())),
  };
}

/** `text` is base64 of gzip. */
async function bytesOf(text: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const unzipped = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(unzipped).arrayBuffer();
}

function withModule(message: unknown, wasmModule: WebAssembly.Module): unknown {
  const { greeting } = message as { readonly greeting?: Greeting };
  return greeting && !isCustom(greeting) ? { greeting: { ...greeting, wasmModule } } : message;
}

function missing(address: string | undefined, answer: string): AmbryError {
  const place = address ?? 'The script of the worker';
  const message = `${place} does not start (${answer}). Run npm install ambry-whole, and add this line: import 'ambry-whole'; it starts a copy. Where the page may not start one, copy node_modules/ambry/dist to the folder 'ambry' of the site, and pass createWorker: () => new Worker('/ambry/workers/worker.js', { type: 'module' }). With Vite, add optimizeDeps: { exclude: ['ambry'] }.`;
  return new AmbryError('Unsupported', message);
}

// How a page works whose worker scripts do not start. Bundlers that do not follow `new URL('./…', import.meta.url)` leave
// the scripts out; some runtimes have no workers.
import { AmbryError } from '../errors.ts';
import { notLoaded, type Port, webPort } from '../rpc/port.ts';
import { startingPort } from '../rpc/starting-port.ts';
import { isCustom } from '../runtime/custom-wasm.ts';
import type { Greeting } from '../runtime/types.ts';
import {
  addressOf,
  addressOfScript,
  isOfOtherOrigin,
  lookFor,
  refusedByPolicy,
  type Starter,
  startWorker,
} from '../start-worker.ts';

/** What the server answered where the scripts belong, once it is known that they are not there. That stays so. */
let absence: string | undefined;
export const areMissing = (): boolean => absence !== undefined;

/** `reason` is why the worker did not start. */
export async function portInstead(start: Starter, reason: unknown): Promise<Port> {
  if (typeof Worker !== 'function') return (await import('./in-thread.ts')).inThreadPort();
  if (!isOfOtherOrigin(reason)) return portFor(start);
  return startingPort(
    () => webPort(startWorker(start)),
    () => portFor(start),
  );
}

async function portFor(start: Starter): Promise<Port> {
  const address = addressOf(start);
  const { answer, isScript } = absence === undefined ? await lookFor(address) : { answer: absence };
  // A page with a policy that serves the scripts never runs one from a blob.
  if (isScript) throw refusedByPolicy(address);
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

/** Runs the script and the WebAssembly that are text in the package, which every bundler takes along. */
async function embeddedPort(error: AmbryError): Promise<Port> {
  unpacked ??= unpack();
  const { script, wasmModule } = await unpacked;
  const port = webPort(new Worker(script, { type: 'module' }));
  return {
    ...port,
    post: (message, transfer) => port.post(withModule(message, wasmModule), transfer),
    listen: (onMessage, onCrash) =>
      port.listen(onMessage, (reason) => onCrash(reason === notLoaded ? error : reason)),
  };
}

async function unpack(): Promise<Embedded> {
  const { script, loadWasm } = await import('./embedded.js');
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
  const message = `${place} does not start (${answer}), and the page may not start the copy in the package. Copy node_modules/ambry/dist to the folder 'ambry' of the site, and pass createWorker: () => new Worker('/ambry/workers/worker.js', { type: 'module' }). With Vite, add optimizeDeps: { exclude: ['ambry'] }.`;
  return new AmbryError('Unsupported', message);
}

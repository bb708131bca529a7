// Runs every call on the caller's thread, where there are no workers.
import { AmbryError } from '../base/errors.ts';
import type { Movable, Port } from '../rpc/port.ts';
import { type Handlers, serve } from '../rpc/serve.ts';
import type { Greeting } from '../runtime/types.ts';
import { keptVectorsHandlers } from '../search/kept-vectors/worker.ts';
import { cachingOpener } from '../sources/open-cached.ts';
import { responseStore } from '../sources/response-store.ts';
import { allHandlers, type NodeCalls } from './all-handlers.ts';
import { allRuntimes } from './all-runtimes.ts';

export function inThreadPort(): Port {
  checkRuntime();
  let isEnded = false;
  let onMessage: (message: unknown) => void = () => {};
  const later = (deliver: () => void) =>
    queueMicrotask(() => {
      if (!isEnded) {
        deliver();
      }
    });
  const receive = serve<NodeCalls, Greeting>((message, transfer) => {
    const copy = copyOf(message, transfer);
    later(() => onMessage(copy));
  }, handlers);
  return {
    post: (message, transfer) => {
      const copy = copyOf(message, transfer);
      later(() => receive(copy));
    },
    listen: (listener) => {
      onMessage = listener;
    },
    hold: () => {},
    terminate: () => {
      isEnded = true;
    },
  };
}

function handlers(greeting: Greeting): Handlers<NodeCalls> {
  const open = cachingOpener(responseStore);
  // Nobody shares the memory: what waits for another thread would stop this one.
  const runtimes = allRuntimes(greeting, open, false);
  const calls = allHandlers(runtimes, { open, storeFor: responseStore });
  return { ...calls, ...keptVectorsHandlers(keepNothing) };
}

/** Only workers can write files. */
function keepNothing(): Promise<never> {
  const message = 'Vectors are kept only by workers, and this runtime has none; leave out `keep`.';
  return Promise.reject(new AmbryError('Unsupported', message, { path: 'keep' }));
}

/** As between threads, neither side sees what the other one changes later. A compiled module never changes, and a stream
 *  has one reader; some runtimes cannot copy them. */
function copyOf(message: unknown, transfer: readonly Movable[]): unknown {
  const isGreeting = typeof message === 'object' && message !== null && 'greeting' in message;
  const hasStream = transfer.some((each) => each instanceof ReadableStream);
  return isGreeting || hasStream ? message : structuredClone(message, { transfer: [...transfer] });
}

/** What Node, browsers, workerd, Deno and Bun have, and a test's imitation of a page lacks. */
const needed = ['fetch', 'structuredClone', 'TextDecoder', 'ReadableStream', 'WebAssembly'];

function checkRuntime(): void {
  const missing = needed.filter((name) => !(name in globalThis));
  if (missing.length === 0) {
    return;
  }
  const fix =
    "In Jest's jsdom, add testEnvironmentOptions: { customExportConditions: ['node'] } to the configuration.";
  throw new AmbryError('Unsupported', `This runtime has no ${missing.join(', ')}. ${fix}`);
}

// A port whose other side runs on the caller's thread.
import { AmbryError } from '../base/errors.ts';
import type { Movable, Port } from '../rpc/port.ts';
import type { CallMap } from '../rpc/protocol.ts';
import { type Handlers, serve } from '../rpc/serve.ts';
import type { Greeting } from './types.ts';

export function portInThread<C extends CallMap<C>>(
  makeHandlers: (greeting: Greeting) => Handlers<C>,
): Port {
  checkRuntime();
  let isEnded = false;
  let onMessage: (message: unknown) => void = () => {};
  const later = (deliver: () => void) =>
    queueMicrotask(() => {
      if (!isEnded) {
        deliver();
      }
    });
  const receive = serve<C, Greeting>((message, transfer) => {
    const copy = copyOf(message, transfer);
    later(() => onMessage(copy));
  }, makeHandlers);
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

// What the channel needs of a worker, so that it knows neither the browser's kind nor Node's.
import { AmbryError } from '../base/errors.ts';

/** Why a worker died; an error where it says what to do. */
export type CrashReason = string | AmbryError;

/** What messages move. The DOM's `Transferable` is a name that Node's types do not have. */
export type Movable = ArrayBuffer | ReadableStream;

export interface Port {
  post(message: unknown, transfer: readonly Movable[]): void;
  /** Called once, before the first post. */
  listen(onMessage: (message: unknown) => void, onCrash: (reason: CrashReason) => void): void;
  /** Whether calls are pending; in Node an idle worker does not keep the process alive. */
  hold(busy: boolean): void;
  terminate(): void | Promise<void>;
}

/** What an event says that has no message: the script did not load. */
export const notLoaded =
  'the worker script could not be loaded (check that it is served, and `worker-src` of the CSP)';

/** A browser's dedicated worker. */
export function webPort(worker: Worker): Port {
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    listen: (onMessage, onCrash) => {
      worker.addEventListener('message', (event: MessageEvent<unknown>) => onMessage(event.data));
      worker.addEventListener('messageerror', () => onCrash('a message could not be read'));
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        onCrash(crashReason(event.message));
      });
    },
    hold: () => {},
    terminate: () => worker.terminate(),
  };
}

/** Parcel moves code that several workers share to a file that they do not load. */
function crashReason(message: string): CrashReason {
  if (!/Cannot find module/.test(message)) {
    return message || notLoaded;
  }
  const fix =
    'With Parcel, add to package.json: "@parcel/bundler-default": { "minBundles": 1000000 }';
  return new AmbryError(
    'Unsupported',
    `The bundler has lost a part of a worker: ${message}. ${fix}`,
  );
}

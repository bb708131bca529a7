// A browser's worker, around some of the handlers.
import type { CallMap, FromWorker } from '../rpc/protocol.ts';
import { type Handlers, serve } from '../rpc/serve.ts';
import type { Greeting } from './types.ts';

export function serveWorker<C extends CallMap<C>>(
  makeHandlers: (greeting: Greeting) => Handlers<C>,
): void {
  const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
  const receive = serve<C, Greeting>(
    (message, transfer) => scope.postMessage(message, [...transfer]),
    makeHandlers,
  );
  scope.addEventListener('message', (event: MessageEvent<unknown>) => receive(event.data));
  scope.postMessage({ ready: true } satisfies FromWorker);
}

// The browser's worker entry.
import type { Calls, Greeting } from '../rpc/protocol.ts';
import { serve } from '../rpc/serve.ts';
import { makeHandlers } from './handlers.ts';

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
const receive = serve<Calls, Greeting>(
  (message, transfer) => scope.postMessage(message, [...transfer]),
  (greeting) => makeHandlers(greeting),
);
scope.addEventListener('message', (event: MessageEvent<unknown>) => receive(event.data));

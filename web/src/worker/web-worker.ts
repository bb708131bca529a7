// A browser's worker, around one of the modules.
import type { Calls, Greeting } from '../rpc/protocol.ts';
import { serve } from '../rpc/serve.ts';
import { makeHandlers } from './handlers.ts';
import type { PackagedModule } from './wasm.ts';

export function runWorker(packaged: PackagedModule): void {
  const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
  const receive = serve<Calls, Greeting>(
    (message, transfer) => scope.postMessage(message, [...transfer]),
    (greeting) => makeHandlers(packaged, greeting),
  );
  scope.addEventListener('message', (event: MessageEvent<unknown>) => receive(event.data));
}

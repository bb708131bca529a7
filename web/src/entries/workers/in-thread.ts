// Runs every call on the caller's thread, where there are no workers.
import { AmbryError } from '../../base/errors.ts';
import { portInThread } from '../../platform/in-thread-port.ts';
import type { Greeting } from '../../platform/types.ts';
import type { Port } from '../../rpc/port.ts';
import type { Handlers } from '../../rpc/serve.ts';
import { keptVectorsHandlers } from '../../search/kept-vectors/worker.ts';
import { cachingOpener } from '../../sources/open-cached.ts';
import { responseStore } from '../../sources/response-store.ts';
import { allHandlers, type NodeCalls } from '../handlers/all-handlers.ts';
import { runtimesOf } from '../handlers/runtime-of.ts';

export const inThreadPort = (): Port => portInThread<NodeCalls>(handlers);

function handlers(greeting: Greeting): Handlers<NodeCalls> {
  const open = cachingOpener(responseStore);
  // Nobody shares the memory: what waits for another thread would stop this one.
  const runtimeOf = runtimesOf(greeting, open, false);
  const calls = allHandlers(greeting, runtimeOf, { open, storeFor: responseStore });
  return { ...calls, ...keptVectorsHandlers(keepNothing) };
}

/** Only workers can write files. */
function keepNothing(): Promise<never> {
  const message = 'Vectors are kept only by workers, and this runtime has none; leave out `keep`.';
  return Promise.reject(new AmbryError('Unsupported', message, { path: 'keep' }));
}

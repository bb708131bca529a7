// The browser's worker entry for every call. A caller's `createWorker` starts this one.

import { serveWorker } from '../../platform/worker-serve.ts';
import { keptVectorsHandlers } from '../../search/kept-vectors/worker.ts';
import { openOpfs } from '../../search/kept-vectors/worker-opfs.ts';
import { cachingOpener } from '../../sources/open-cached.ts';
import { browserStore } from '../../sources/worker-stores.ts';
import { allHandlers, type NodeCalls } from '../handlers/all-handlers.ts';
import { runtimesOf } from '../handlers/runtime-of.ts';

serveWorker<NodeCalls>((greeting) => {
  const openSource = cachingOpener(browserStore);
  const canShare = typeof SharedArrayBuffer !== 'undefined';
  const runtimeOf = runtimesOf(greeting, openSource, canShare);
  const handlers = allHandlers(greeting, runtimeOf, { open: openSource, storeFor: browserStore });
  return { ...handlers, ...keptVectorsHandlers(openOpfs) };
});

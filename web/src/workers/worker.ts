// The browser's worker entry for every call. A caller's `createWorker` starts this one.
import { keptVectorsHandlers } from '../search/kept-vectors/worker.ts';
import { openOpfs } from '../search/kept-vectors/worker-opfs.ts';
import { cachingOpener } from '../sources/open-cached.ts';
import { browserStore } from '../sources/worker-stores.ts';
import { allHandlers, type NodeCalls } from './all-handlers.ts';
import { allRuntimes } from './all-runtimes.ts';
import { serveWorker } from './serve.ts';

serveWorker<NodeCalls>((greeting) => {
  const openSource = cachingOpener(browserStore);
  const canShare = typeof SharedArrayBuffer !== 'undefined';
  const runtimes = allRuntimes(greeting, openSource, canShare);
  const handlers = allHandlers(runtimes, { open: openSource, storeFor: browserStore });
  return { ...handlers, ...keptVectorsHandlers(openOpfs) };
});

// The browser's worker entry for every call; `createWorker` of a caller starts this one.
import type { Calls } from '../rpc/protocol.ts';
import { serveWorker } from '../runtime/worker-serve.ts';
import { brought } from '../runtime/worker-wasm-brought.ts';
import { Workplace } from '../runtime/worker-workplace.ts';
import { keepHandlers } from '../search/kept-vectors/worker.ts';
import { openOpfs } from '../search/kept-vectors/worker-opfs.ts';
import { browserStore } from '../sources/cache/browser-stores.ts';
import { cachingOpener } from '../sources/cache/open-cached.ts';
import { moduleAmbry } from '../wasm/module-ambry.ts';
import { allHandlers } from './all-handlers.ts';

serveWorker<Calls>((greeting) => {
  const openSource = cachingOpener(browserStore);
  const place = new Workplace(moduleAmbry, { openSource, brought: brought(greeting) });
  const handlers = allHandlers(place, { open: openSource, storeFor: browserStore });
  return { ...handlers, ...keepHandlers(openOpfs) };
});

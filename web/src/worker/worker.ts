// The browser's worker entry for every call; `createWorker` of a caller starts this one.
import type { Calls } from '../rpc/protocol.ts';
import { browserStore } from '../source/browser-stores.ts';
import { cachingOpener } from '../source/open-cached.ts';
import { openOpfs } from '../source/vectors-opfs-writer.ts';
import { allHandlers } from './handlers.ts';
import { keepHandlers } from './keep-handlers.ts';
import { moduleAll } from './module-all.ts';
import { brought } from './wasm-brought.ts';
import { serveWorker } from './web-worker.ts';
import { Workplace } from './workplace.ts';

serveWorker<Calls>((greeting) => {
  const openSource = cachingOpener(browserStore);
  const place = new Workplace(moduleAll, { openSource, brought: brought(greeting) });
  const handlers = allHandlers(place, { open: openSource, storeFor: browserStore });
  return { ...handlers, ...keepHandlers(openOpfs) };
});

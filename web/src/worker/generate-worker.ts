// The browser's worker entry for models that generate text.
import type { GenerateCalls } from '../rpc/protocol.ts';
import { browserStore } from '../source/browser-stores.ts';
import { cachingOpener } from '../source/open-cached.ts';
import { generateHandlers } from './generate-handlers.ts';
import { moduleGenerate } from './module-generate.ts';
import { serveWorker } from './web-worker.ts';
import { Workplace } from './workplace.ts';

serveWorker<GenerateCalls>(({ deterministic }) => {
  const openSource = cachingOpener(browserStore);
  const place = new Workplace(moduleGenerate, { openSource, deterministic });
  return generateHandlers(place, { open: openSource, storeFor: browserStore }).handlers;
});

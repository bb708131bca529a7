// The browser's worker entry for networks that classify pictures.
import type { ClassifyCalls } from '../rpc/protocol.ts';
import { browserStore } from '../source/browser-stores.ts';
import { cachingOpener } from '../source/open-cached.ts';
import { classifyHandlers } from './classify-handlers.ts';
import { moduleClassify } from './module-classify.ts';
import { serveWorker } from './web-worker.ts';
import { Workplace } from './workplace.ts';

serveWorker<ClassifyCalls>(({ deterministic }) => {
  const openSource = cachingOpener(browserStore);
  return classifyHandlers(new Workplace(moduleClassify, { openSource, deterministic })).handlers;
});

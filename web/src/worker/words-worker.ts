// The browser's worker entry for word vectors.
import type { WordsCalls } from '../rpc/protocol.ts';
import { browserStore } from '../source/browser-stores.ts';
import { cachingOpener } from '../source/open-cached.ts';
import { moduleWords } from './module-words.ts';
import { serveWorker } from './web-worker.ts';
import { wordsHandlers } from './words-handlers.ts';
import { Workplace } from './workplace.ts';

serveWorker<WordsCalls>(({ deterministic }) => {
  const openSource = cachingOpener(browserStore);
  const place = new Workplace(moduleWords, { openSource, deterministic });
  return wordsHandlers(place, { open: openSource, storeFor: browserStore }).handlers;
});

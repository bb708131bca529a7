// The browser's worker entry for networks that classify pictures.
import { classifierHandlers } from '../classifier/worker.ts';
import { handlersFor } from '../model/worker-open.ts';
import { moduleClassify } from '../wasm/module-classify.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleClassify, (runtime) =>
  handlersFor(runtime, 'classifier', classifierHandlers(runtime)),
);

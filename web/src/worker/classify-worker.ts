// The browser's worker entry for networks that classify pictures.
import { serveCaching } from './caching-worker.ts';
import { classifyHandlers } from './classify-handlers.ts';
import { moduleClassify } from './module-classify.ts';

serveCaching(moduleClassify, (place) => classifyHandlers(place).handlers);

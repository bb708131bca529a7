// The browser's worker entry for networks that classify pictures.

import { classifyHandlers } from './classify-handlers.ts';
import { moduleClassify } from './module-classify.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleClassify, (place) => classifyHandlers(place).handlers);

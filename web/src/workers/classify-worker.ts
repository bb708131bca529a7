// The browser's worker entry for networks that classify pictures.

import { classifyHandlers } from '../classifier/worker.ts';
import { serveCaching } from '../runtime/worker-serve-caching.ts';
import { moduleClassify } from '../wasm/module-classify.ts';

serveCaching(moduleClassify, (place) => classifyHandlers(place).handlers);

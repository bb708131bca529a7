// The browser's worker entry for looking into files.

import { inspectHandlers } from './inspect-handlers.ts';
import { moduleInspect } from './module-inspect.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleInspect, inspectHandlers);

// The browser's worker entry for looking into files.
import { serveCaching } from './caching-worker.ts';
import { inspectHandlers } from './inspect-handlers.ts';
import { moduleInspect } from './module-inspect.ts';

serveCaching(moduleInspect, inspectHandlers);

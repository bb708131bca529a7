// The browser's worker entry for looking into files.

import { inspectHandlers } from '../files/worker-inspect.ts';
import { serveCaching } from '../runtime/worker-serve-caching.ts';
import { moduleInspect } from '../wasm/module-inspect.ts';

serveCaching(moduleInspect, inspectHandlers);

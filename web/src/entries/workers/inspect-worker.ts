// The browser's worker entry for looking into files.

import { inspectHandlers } from '../../inspect/worker-inspect.ts';
import { moduleInspect } from '../../wasm/module-inspect.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleInspect, inspectHandlers);

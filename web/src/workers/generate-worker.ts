// The browser's worker entry for models that generate text.

import { generateHandlers } from '../generator/worker.ts';
import { serveCaching } from '../runtime/worker-serve-caching.ts';
import { moduleGenerate } from '../wasm/module-generate.ts';

serveCaching(moduleGenerate, (place, ranged) => generateHandlers(place, ranged).handlers);

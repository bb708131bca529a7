// The browser's worker entry for models that generate text.

import { generateHandlers } from './generate-handlers.ts';
import { moduleGenerate } from './module-generate.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleGenerate, (place, ranged) => generateHandlers(place, ranged).handlers);

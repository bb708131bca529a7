// The browser's worker entry for models that generate text.
import { serveCaching } from './caching-worker.ts';
import { generateHandlers } from './generate-handlers.ts';
import { moduleGenerate } from './module-generate.ts';

serveCaching(moduleGenerate, (place, ranged) => generateHandlers(place, ranged).handlers);

// The browser's worker entry for word vectors.

import { serveCaching } from '../runtime/worker-serve-caching.ts';
import { wordsHandlers } from '../words/worker.ts';
import { moduleWords } from './module-words.ts';

serveCaching(moduleWords, (place, ranged) => wordsHandlers(place, ranged).handlers);

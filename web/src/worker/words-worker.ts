// The browser's worker entry for word vectors.

import { moduleWords } from './module-words.ts';
import { serveCaching } from './serve-caching.ts';
import { wordsHandlers } from './words-handlers.ts';

serveCaching(moduleWords, (place, ranged) => wordsHandlers(place, ranged).handlers);

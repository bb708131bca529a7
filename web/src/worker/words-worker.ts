// The browser's worker entry for word vectors.
import { serveCaching } from './caching-worker.ts';
import { moduleWords } from './module-words.ts';
import { wordsHandlers } from './words-handlers.ts';

serveCaching(moduleWords, (place, ranged) => wordsHandlers(place, ranged).handlers);

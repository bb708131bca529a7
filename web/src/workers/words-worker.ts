// The browser's worker entry for word vectors.

import { serveCaching } from '../runtime/worker-serve-caching.ts';
import { moduleWords } from '../wasm/module-words.ts';
import { wordsHandlers } from '../words/worker.ts';

serveCaching(moduleWords, (place, ranged) => wordsHandlers(place, ranged).handlers);

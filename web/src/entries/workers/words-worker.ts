// The browser's worker entry for word vectors.
import { handlersFor } from '../../model/worker-open.ts';
import { moduleWords } from '../../wasm/module-words.ts';
import { wordsHandlers } from '../../words/worker.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleWords, (runtime, sources) =>
  handlersFor(runtime, 'words', wordsHandlers(runtime, sources)),
);

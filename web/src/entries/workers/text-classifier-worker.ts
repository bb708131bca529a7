// The browser's worker entry for classifiers of texts.
import { handlersFor } from '../../model/worker-open.ts';
import { textClassifierHandlers } from '../../text-classifier/worker.ts';
import { moduleTextClassifier } from '../../wasm/module-text-classifier.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleTextClassifier, (runtime) =>
  handlersFor(runtime, 'textClassifier', textClassifierHandlers(runtime)),
);

// The browser's worker entry for classifiers of texts.
import { handlersFor } from '../model/worker-open.ts';
import { textClassifierHandlers } from '../text-classifier/worker.ts';
import { modulePredict } from '../wasm/module-predict.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(modulePredict, (runtime) =>
  handlersFor(runtime, 'textClassifier', textClassifierHandlers(runtime)),
);

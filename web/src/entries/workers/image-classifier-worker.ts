// The browser's worker entry for networks that classify pictures.
import { classifierHandlers } from '../../classifier/worker.ts';
import { handlersFor } from '../../model/worker-open.ts';
import { moduleImageClassifier } from '../../wasm/module-image-classifier.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleImageClassifier, (runtime) =>
  handlersFor(runtime, 'classifier', classifierHandlers(runtime)),
);

// The browser's worker entry for networks that classify pictures.
import { classifierHandlers } from '../classifier/worker.ts';
import { handlersFor } from '../model/worker-open.ts';
import { moduleClassifier } from './module-classifier.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleClassifier, (runtime) =>
  handlersFor(runtime, 'classifier', classifierHandlers()),
);

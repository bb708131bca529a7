// The browser's worker entry for models that generate text on a cross-origin isolated page, where workers share memory.
import { generatorHandlers } from '../generator/worker.ts';
import { handlersFor } from '../model/worker-open.ts';
import { moduleGenerateShared } from '../wasm/module-generate-shared.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleGenerateShared, (runtime, sources) =>
  handlersFor(runtime, 'generator', generatorHandlers(runtime, sources)),
);

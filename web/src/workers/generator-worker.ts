// The browser's worker entry for models that generate text.
import { generatorHandlers } from '../generator/worker.ts';
import { handlersFor } from '../model/worker-open.ts';
import { moduleGenerate } from '../wasm/module-generate.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleGenerate, (runtime, sources) =>
  handlersFor(runtime, 'generator', generatorHandlers(runtime, sources)),
);

// The browser's worker entry for models that generate text.
import { generatorHandlers } from '../../generator/worker.ts';
import { handlersFor } from '../../model/worker-open.ts';
import { moduleGenerator } from '../../wasm/module-generator.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleGenerator, (runtime, sources) =>
  handlersFor(runtime, 'generator', generatorHandlers(runtime, sources)),
);

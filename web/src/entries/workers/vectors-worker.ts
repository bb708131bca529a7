// The browser's worker entry for the caller's own vectors.
import { vectorHandlers } from '../../search/vectors/worker.ts';
import { moduleVectors } from '../../wasm/module-vectors.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleVectors, vectorHandlers);

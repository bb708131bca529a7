// The browser's worker entry for encoders and indexes on a cross-origin isolated page, where workers share memory. It also
// caches downloads.
import { moduleRunShared } from '../wasm/module-run-shared.ts';
import { encoderAndIndexHandlers } from './encoder-handlers.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleRunShared, encoderAndIndexHandlers);

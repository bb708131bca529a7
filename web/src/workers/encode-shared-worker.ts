// The same as encode-worker.ts on a cross-origin isolated page, where workers share memory.
import { moduleEncodeShared } from '../wasm/module-encode-shared.ts';
import { everyEncoderAndIndexHandlers } from './encoder-handlers.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleEncodeShared, everyEncoderAndIndexHandlers);

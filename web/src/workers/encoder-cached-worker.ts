// The browser's worker entry for encoders and indexes whose files are cached, or whose SHA-256 is checked.
import { encoderAndIndexHandlers } from './encoder-handlers.ts';
import { moduleEncoder } from './module-encoder.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleEncoder, encoderAndIndexHandlers);

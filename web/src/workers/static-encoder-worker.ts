// The browser's worker entry for static encoders with WordPiece, and for search indexes beside them.
import { moduleStatic } from '../wasm/module-static.ts';
import { serveCaching } from './serve-caching.ts';
import { staticAndIndexHandlers } from './static-handlers.ts';

serveCaching(moduleStatic, staticAndIndexHandlers);

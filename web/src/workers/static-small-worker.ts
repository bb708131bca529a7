// The browser's worker entry for static encoders with WordPiece, and for search indexes beside them.
import { moduleStaticSmall } from '../wasm/module-static-small.ts';
import { serveCaching } from './serve-caching.ts';
import { staticAndIndexHandlers } from './static-handlers.ts';

serveCaching(moduleStaticSmall, staticAndIndexHandlers);

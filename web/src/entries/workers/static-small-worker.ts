// The browser's worker entry for static encoders with WordPiece, and for search indexes beside them.
import { moduleStaticSmall } from '../../wasm/module-static-small.ts';
import { staticAndIndexHandlers } from '../handlers/static-handlers.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleStaticSmall, staticAndIndexHandlers);

// The browser's worker entry for static encoders with every tokenizer, and for search indexes beside them.
import { moduleStatic } from '../wasm/module-static.ts';
import { serveCaching } from './serve-caching.ts';
import { everyStaticAndIndexHandlers } from './static-handlers.ts';

serveCaching(moduleStatic, everyStaticAndIndexHandlers);

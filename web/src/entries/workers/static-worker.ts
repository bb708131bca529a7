// The browser's worker entry for static encoders with every tokenizer, and for search indexes beside them.
import { moduleStatic } from '../../wasm/module-static.ts';
import { everyStaticAndIndexHandlers } from '../handlers/static-handlers.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleStatic, everyStaticAndIndexHandlers);

// The browser's worker entry for converting files, and looking into them.
import type { ConvertCalls, InspectCalls } from '../rpc/protocol.ts';
import type { ConvertModule } from '../wasm/ambry.mjs';
import { convertHandlers } from './convert-handlers.ts';
import { inspectHandlers } from './inspect-handlers.ts';
import { moduleConvert } from './module-convert.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching<ConvertCalls & InspectCalls, ConvertModule>(moduleConvert, (place) => ({
  ...inspectHandlers(place),
  ...convertHandlers(place),
}));

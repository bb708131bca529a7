// The browser's worker entry for converting files, and looking into them.

import { convertHandlers } from '../files/worker-convert.ts';
import { inspectHandlers } from '../files/worker-inspect.ts';
import type { ConvertCalls, InspectCalls } from '../rpc/protocol.ts';
import { serveCaching } from '../runtime/worker-serve-caching.ts';
import type { ConvertModule } from '../wasm/ambry.mjs';
import { moduleConvert } from '../wasm/module-convert.ts';

serveCaching<ConvertCalls & InspectCalls, ConvertModule>(moduleConvert, (place) => ({
  ...inspectHandlers(place),
  ...convertHandlers(place),
}));

// The browser's worker entry for converting files, and looking into them.

import type { ConvertCalls, InspectCalls } from '../files/protocol.ts';
import { convertHandlers } from '../files/worker-convert.ts';
import { inspectHandlers } from '../files/worker-inspect.ts';
import type { ConvertModule } from '../wasm/module.mjs';
import { moduleConvert } from '../wasm/module-convert.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching<ConvertCalls & InspectCalls, ConvertModule>(moduleConvert, (runtime) => ({
  ...inspectHandlers(runtime),
  ...convertHandlers(runtime),
}));

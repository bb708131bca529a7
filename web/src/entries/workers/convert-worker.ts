// The browser's worker entry for converting files, and looking into them.

import type { ConvertCalls } from '../../convert/protocol.ts';
import { convertHandlers } from '../../convert/worker-convert.ts';
import type { InspectCalls } from '../../inspect/protocol.ts';
import { inspectHandlers } from '../../inspect/worker-inspect.ts';
import type { ConvertModule } from '../../wasm/module.mjs';
import { moduleConvert } from '../../wasm/module-convert.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching<ConvertCalls & InspectCalls, ConvertModule>(moduleConvert, (runtime) => ({
  ...inspectHandlers(runtime),
  ...convertHandlers(runtime),
}));

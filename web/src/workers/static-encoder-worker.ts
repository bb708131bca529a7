// The browser's worker entry for static encoders, and for search indexes beside them.
import type { StaticEncoderCalls } from '../encoder/protocol.ts';
import { staticEncoderHandlers } from '../encoder/worker-static.ts';
import { handlersFor } from '../model/worker-open.ts';
import type { IndexCalls } from '../search/protocol.ts';
import { indexHandlers } from '../search/worker.ts';
import type { StaticModule } from '../wasm/module.mjs';
import { moduleStatic } from '../wasm/module-static.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching<StaticEncoderCalls & IndexCalls, StaticModule>(moduleStatic, (runtime) => ({
  ...handlersFor(runtime, 'encoder', staticEncoderHandlers(runtime)),
  ...indexHandlers(runtime),
}));

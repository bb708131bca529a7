// The browser's worker entry for encoders and indexes whose files are kept, or whose SHA-256 is known.

import { runHandlers } from '../encoder/worker.ts';
import { serveCaching } from '../runtime/worker-serve-caching.ts';
import { moduleRun } from '../wasm/module-run.ts';

serveCaching(moduleRun, runHandlers);

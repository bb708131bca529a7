// The browser's worker entry for encoders and indexes whose files are kept, or whose SHA-256 is known.

import { moduleRun } from './module-run.ts';
import { runHandlers } from './run-handlers.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleRun, runHandlers);

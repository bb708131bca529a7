// The browser's worker entry for encoders and indexes whose files are kept, or whose SHA-256 is known.
import { serveCaching } from './caching-worker.ts';
import { moduleRun } from './module-run.ts';
import { runHandlers } from './run-handlers.ts';

serveCaching(moduleRun, runHandlers);

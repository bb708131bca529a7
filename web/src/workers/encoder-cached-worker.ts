// The browser's worker entry for encoders and indexes whose files are cached, or whose SHA-256 is checked.

import { moduleRun } from '../wasm/module-run.ts';
import { encoderAndIndexHandlers } from './encoder-handlers.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleRun, encoderAndIndexHandlers);

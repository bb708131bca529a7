// The browser's worker entry for keeping vectors. It runs no WebAssembly.
import type { KeepCalls } from '../rpc/protocol.ts';
import { openOpfs } from '../source/vectors-opfs-writer.ts';
import { keepHandlers } from './keep-handlers.ts';
import { serveWorker } from './web-worker.ts';

serveWorker<KeepCalls>(() => keepHandlers(openOpfs));

// The browser's worker entry for keeping vectors. It runs no WebAssembly.
import type { KeepCalls } from '../rpc/protocol.ts';
import { serveWorker } from '../runtime/worker-serve.ts';
import { keepHandlers } from '../search/kept-vectors/worker.ts';
import { openOpfs } from '../search/kept-vectors/worker-opfs.ts';

serveWorker<KeepCalls>(() => keepHandlers(openOpfs));

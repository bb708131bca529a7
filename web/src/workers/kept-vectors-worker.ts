// The browser's worker entry for keeping vectors. It runs no WebAssembly.
import type { KeptVectorsCalls } from '../search/kept-vectors/protocol.ts';
import { keptVectorsHandlers } from '../search/kept-vectors/worker.ts';
import { openOpfs } from '../search/kept-vectors/worker-opfs.ts';
import { serveWorker } from './serve.ts';

serveWorker<KeptVectorsCalls>(() => keptVectorsHandlers(openOpfs));

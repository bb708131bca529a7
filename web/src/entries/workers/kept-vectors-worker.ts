// The browser's worker entry for keeping vectors. It runs no WebAssembly.

import { serveWorker } from '../../platform/worker-serve.ts';
import type { KeptVectorsCalls } from '../../search/kept-vectors/protocol.ts';
import { keptVectorsHandlers } from '../../search/kept-vectors/worker.ts';
import { openOpfs } from '../../search/kept-vectors/worker-opfs.ts';

serveWorker<KeptVectorsCalls>(() => keptVectorsHandlers(openOpfs));

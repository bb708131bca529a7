// Node's worker entry: the same handlers, and the local file system.
import { readFile } from 'node:fs/promises';
import { type Transferable as NodeTransferable, parentPort } from 'node:worker_threads';
import type { Calls, Greeting } from '../rpc/protocol.ts';
import { serve } from '../rpc/serve.ts';
import { directoryStore } from '../source/node-cache.ts';
import { openFile } from '../source/node-file.ts';
import { openVectorFile } from '../source/node-vectors.ts';
import { cachingOpener } from '../source/open-cached.ts';
import { allHandlers } from './handlers.ts';
import { keepHandlers } from './keep-handlers.ts';
import { moduleAll } from './module-all.ts';
import { fileOutput } from './node-output.ts';
import { brought } from './wasm-brought.ts';
import { Workplace } from './workplace.ts';

const receive = serve<Calls, Greeting>(
  (message, transfer) => parentPort?.postMessage(message, transfer as NodeTransferable[]),
  (greeting) => {
    const readLocal = async (url: URL) => new Uint8Array(await readFile(url));
    const openSource = cachingOpener(directoryStore, openFile);
    const place = new Workplace(moduleAll, { openSource, brought: brought(greeting, readLocal) });
    const ranged = { open: openSource, storeFor: directoryStore };
    return { ...allHandlers(place, ranged, fileOutput), ...keepHandlers(openVectorFile) };
  },
);
parentPort?.on('message', receive);

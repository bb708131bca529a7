// Node's worker entry: the same handlers, and the local file system.
import { readFile } from 'node:fs/promises';
import { type Transferable as NodeTransferable, parentPort } from 'node:worker_threads';
import { fileOutput } from '../files/node-output.ts';
import type { Calls, Greeting } from '../rpc/protocol.ts';
import { serve } from '../rpc/serve.ts';
import { brought } from '../runtime/worker-wasm-brought.ts';
import { Workplace } from '../runtime/worker-workplace.ts';
import { openVectorFile } from '../search/kept-vectors/node-store.ts';
import { keepHandlers } from '../search/kept-vectors/worker.ts';
import { directoryStore } from '../sources/cache/node-directory.ts';
import { cachingOpener } from '../sources/cache/open-cached.ts';
import { openFile } from '../sources/node-file.ts';
import { moduleAmbry } from '../wasm/module-ambry.ts';
import { allHandlers } from './all-handlers.ts';

const receive = serve<Calls, Greeting>(
  (message, transfer) => parentPort?.postMessage(message, transfer as NodeTransferable[]),
  (greeting) => {
    const readLocal = async (url: URL) => new Uint8Array(await readFile(url));
    const openSource = cachingOpener(directoryStore, openFile);
    const place = new Workplace(moduleAmbry, { openSource, brought: brought(greeting, readLocal) });
    const ranged = { open: openSource, storeFor: directoryStore };
    return { ...allHandlers(place, ranged, fileOutput), ...keepHandlers(openVectorFile) };
  },
);
parentPort?.on('message', receive);

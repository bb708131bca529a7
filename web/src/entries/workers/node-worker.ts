// Node's worker entry: every call, with the local file system.
import { readFile } from 'node:fs/promises';
import { type Transferable as NodeTransferable, parentPort } from 'node:worker_threads';
import { fileOutput } from '../../output/node-output.ts';
import type { Greeting } from '../../platform/types.ts';
import { serve } from '../../rpc/serve.ts';
import { openVectorFile } from '../../search/kept-vectors/node-store.ts';
import { keptVectorsHandlers } from '../../search/kept-vectors/worker.ts';
import { openFile } from '../../sources/base/node-file.ts';
import { directoryStore } from '../../sources/cache/node-directory.ts';
import { nodeRequest } from '../../sources/http/node-request.ts';
import { makeRequestsWith } from '../../sources/http/requests.ts';
import { cachingOpener } from '../../sources/open-cached.ts';
import { allHandlers, type NodeCalls } from '../handlers/all-handlers.ts';
import { runtimesOf } from '../handlers/runtime-of.ts';

makeRequestsWith(nodeRequest);

const receive = serve<NodeCalls, Greeting>(
  (message, transfer) => parentPort?.postMessage(message, transfer as NodeTransferable[]),
  (greeting) => {
    const readLocal = async (url: URL) => new Uint8Array(await readFile(url));
    const openSource = cachingOpener(directoryStore, openFile);
    const runtimeOf = runtimesOf(greeting, openSource, true, readLocal);
    const ranged = { open: openSource, storeFor: directoryStore };
    const handlers = allHandlers(greeting, runtimeOf, ranged, fileOutput);
    return { ...handlers, ...keptVectorsHandlers(openVectorFile) };
  },
);
parentPort?.on('message', receive);

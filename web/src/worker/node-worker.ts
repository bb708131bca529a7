// Node's worker entry: the same handlers, and the local file system.
import { readFile } from 'node:fs/promises';
import { type Transferable as NodeTransferable, parentPort } from 'node:worker_threads';
import type { Calls, Greeting } from '../rpc/protocol.ts';
import { serve } from '../rpc/serve.ts';
import { openFile } from '../source/node-file.ts';
import { allHandlers } from './handlers.ts';
import { moduleAll } from './module-all.ts';
import { fileOutput } from './node-output.ts';
import { Workplace } from './workplace.ts';

const receive = serve<Calls, Greeting>(
  (message, transfer) => parentPort?.postMessage(message, transfer as NodeTransferable[]),
  (greeting) => {
    const readLocal = async (url: URL) => new Uint8Array(await readFile(url));
    const local = { openPath: openFile, readFile: readLocal, output: fileOutput };
    return allHandlers(new Workplace(moduleAll, greeting, local), local);
  },
);
parentPort?.on('message', receive);

// Starts the workers of Node.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { importedPdfPackage } from '../../passages/pdf/pdf-package.ts';
import type { ReaderPort } from '../../passages/reading/protocol.ts';

/** Written for what traces or bundles a server, as in entries/node-platform.ts. */
const here = dirname(fileURLToPath(import.meta.url));

/** Reading leaves much garbage. With Node's own limit, more of it waits to be collected, and nothing is read faster. */
const maxYoungGenerationSizeMb = 24;

export function startNodeReader(): ReaderPort {
  const options: WorkerOptions = {
    // A worker would inherit `--input-type` of `node -e` and refuse its own file.
    execArgv: [],
    workerData: { pdfjs: importedPdfPackage()?.address },
    resourceLimits: { maxYoungGenerationSizeMb },
  };
  const script = join(here, './node-documents-worker.js');
  const worker: Worker = Reflect.construct(Worker, [script, options]);
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    listen: (onMessage, onCrash) => {
      worker.on('message', onMessage);
      worker.on('messageerror', ({ message }) => onCrash({ reason: message }));
      worker.on('error', (error) => {
        const { code, message } = error as { code?: string; message: string };
        onCrash({ reason: message, isOutOfMemory: code === 'ERR_WORKER_OUT_OF_MEMORY' });
      });
      worker.on('exit', (code) => onCrash({ reason: `it exited with code ${code}` }));
    },
    hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}

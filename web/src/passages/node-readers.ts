// Starts the workers of Node.
import { Worker } from 'node:worker_threads';
import type { ReaderPort } from './reading/protocol.ts';

/** Reading leaves much garbage. With Node's own limit, more of it waits to be collected, and nothing is read faster. */
const maxYoungGenerationSizeMb = 24;

export function startNodeReader(): ReaderPort {
  const worker = new Worker(new URL('./node-documents-worker.js', import.meta.url), {
    // A worker would inherit `--input-type` of `node -e` and refuse its own file.
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb },
  });
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

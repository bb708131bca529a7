// A worker of Node.
import type { Transferable as NodeTransferable, Worker as NodeWorker } from 'node:worker_threads';
import type { Port } from '../rpc/port.ts';

export function nodePort(worker: NodeWorker): Port {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as NodeTransferable[]),
    listen: (onMessage, onCrash) => {
      worker.on('message', onMessage);
      worker.on('messageerror', (error) => onCrash(error.message));
      worker.on('error', (error) =>
        onCrash(error instanceof Error ? error.message : String(error)),
      );
      worker.on('exit', (code) => onCrash(`it exited with code ${code}`));
    },
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: async () => {
      await worker.terminate();
    },
  };
}

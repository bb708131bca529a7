// Starts the workers of a browser.
import { messageOf } from '../../base/errors.ts';
import { NoWorker } from '../../passages/reading/document-reader.ts';
import type { ReaderName, ReaderPort } from '../../passages/reading/protocol.ts';
import { type Starter, startWorker } from '../../platform/start-worker.ts';

// The URLs are spelled out so that bundlers see them.
const starters: Record<ReaderName, Starter> = {
  documents: () =>
    new Worker(new URL('./documents-worker.js', import.meta.url), { type: 'module' }),
  pdf: () => new Worker(new URL('./pdf-worker.js', import.meta.url), { type: 'module' }),
};

export function startWebReader(name: ReaderName): ReaderPort {
  const worker = started(name);
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    listen: (onMessage, onCrash) => {
      worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data));
      worker.addEventListener('messageerror', () =>
        onCrash({ reason: 'a message could not be read' }),
      );
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        onCrash({ reason: event.message || 'its script could not be loaded' });
      });
    },
    hold: () => {},
    terminate: () => worker.terminate(),
  };
}

function started(name: ReaderName): Worker {
  try {
    return startWorker(starters[name]);
  } catch (error) {
    throw new NoWorker(messageOf(error));
  }
}

// Starts the workers of a browser.
import { messageOf } from '../../base/errors.ts';
import { requirePdfPackage } from '../../passages/pdf/pdf-package.ts';
import { NoWorker } from '../../passages/reading/document-reader.ts';
import type { ReaderName, ReaderPort } from '../../passages/reading/protocol.ts';
import { type Starter, startWorker } from '../../platform/start-worker.ts';

/** The URL is spelled out so that bundlers see it. The package ambry-pdf does the same for its own worker. */
const startDocuments: Starter = () =>
  new Worker(new URL('./documents-worker.js', import.meta.url), { type: 'module' });

export function startWebReader(name: ReaderName, path: string): ReaderPort {
  const worker = started(name, path);
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

function started(name: ReaderName, path: string): Worker {
  const start = name === 'pdf' ? requirePdfPackage(path).startWorker : startDocuments;
  if (!start) {
    throw new NoWorker('ambry-pdf/in-thread has none');
  }
  try {
    return startWorker(start);
  } catch (error) {
    throw new NoWorker(messageOf(error));
  }
}

// Node's worker for documents of all types.
import { parentPort } from 'node:worker_threads';
import { allReaders } from './readers.ts';
import { serveReader } from './reading/serve-reader.ts';

serveReader(
  {
    post: (message) => parentPort?.postMessage(message),
    listen: (onMessage) => parentPort?.on('message', onMessage),
  },
  allReaders,
);

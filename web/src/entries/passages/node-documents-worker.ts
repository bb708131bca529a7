// Node's worker for documents of all types.
import { parentPort } from 'node:worker_threads';
import type { FromReader } from '../../passages/reading/protocol.ts';
import { allReaders } from '../../passages/reading/readers.ts';
import { serveReader } from '../../passages/reading/serve-reader.ts';
import { RecordServer } from '../../passages/reading/serve-records.ts';

const post = (message: FromReader) => parentPort?.postMessage(message);

serveReader(
  {
    post,
    listen: (onMessage) => parentPort?.on('message', onMessage),
  },
  allReaders,
  new RecordServer(post),
);

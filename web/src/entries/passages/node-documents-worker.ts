// Node's worker for documents of all types.
import { parentPort, workerData } from 'node:worker_threads';
import type { FromReader } from '../../passages/reading/protocol.ts';
import { allReaders } from '../../passages/reading/readers.ts';
import { serveReader } from '../../passages/reading/serve-reader.ts';
import { RecordServer } from '../../passages/reading/serve-records.ts';
import { loadPdfjs } from './node-pdfjs.ts';

const post = (message: FromReader) => parentPort?.postMessage(message);

/** Where the program has PDF.js. The package ambry-pdf need not lie beside `ambry`. */
const { pdfjs } = workerData as { readonly pdfjs: string | undefined };

serveReader(
  {
    post,
    listen: (onMessage) => parentPort?.on('message', onMessage),
  },
  allReaders((path) => loadPdfjs(path, pdfjs)),
  new RecordServer(post),
);

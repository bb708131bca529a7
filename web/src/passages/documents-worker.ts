// The browser's worker for documents that are not PDFs, and for streams of records.
import type { FromReader } from './reading/protocol.ts';
import { serveReader } from './reading/serve-reader.ts';
import { RecordServer } from './reading/serve-records.ts';
import { textReaders } from './reading/text-readers.ts';

const post = (message: FromReader) => self.postMessage(message);

serveReader(
  {
    post,
    listen: (onMessage) =>
      self.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data)),
  },
  textReaders,
  new RecordServer(post),
);

// The browser's worker for documents that are not PDFs, and for streams of records.
import type { FromReader } from '../../passages/reading/protocol.ts';
import { serveReader } from '../../passages/reading/serve-reader.ts';
import { RecordServer } from '../../passages/reading/serve-records.ts';
import { textReaders } from '../../passages/reading/text-readers.ts';

const post = (message: FromReader) => self.postMessage(message);

serveReader(
  {
    post,
    listen: (onMessage) =>
      self.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data)),
  },
  (id) => (id === 'pdf' ? undefined : textReaders[id]),
  new RecordServer(post),
);

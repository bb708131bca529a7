// The browser's worker for documents that are not PDFs.
import { serveReader } from './reading/serve-reader.ts';
import { textReaders } from './text-readers.ts';

serveReader(
  {
    post: (message) => self.postMessage(message),
    listen: (onMessage) =>
      self.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data)),
  },
  textReaders,
);

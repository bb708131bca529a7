// The browser's worker for PDFs. The page ends it after each. PDF.js also sends and takes messages of its own in here.
// They are ignored.
import { readPdf } from '../../passages/pdf/pdf.ts';
import { serveReader } from '../../passages/reading/serve-reader.ts';

serveReader(
  {
    post: (message) => self.postMessage(message),
    listen: (onMessage) =>
      self.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data)),
  },
  { pdf: readPdf },
);

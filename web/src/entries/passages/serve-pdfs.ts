// The worker of the package ambry-pdf without PDF.js: the package brings it. web/build/bundle.mjs makes one file of this,
// because a worker of a page without a bundler finds no package by its name. PDF.js also sends and takes messages of its own
// in there. They are ignored.
import { readPdf } from '../../passages/pdf/pdf.ts';
import type { Pdfjs } from '../../passages/pdf/pdfjs.ts';
import { serveReader } from '../../passages/reading/serve-reader.ts';

/** Makes this worker read PDFs. The page ends it after each. */
export function servePdfs(pdfjs: Pdfjs): void {
  serveReader(
    {
      post: (message) => self.postMessage(message),
      listen: (onMessage) =>
        self.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data)),
    },
    () => (input) => readPdf(input, pdfjs),
  );
}

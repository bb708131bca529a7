// Imported for its effect: `ambry` can then read PDFs. PDF.js itself is fetched with the first PDF, in a worker. Where the
// worker does not start, because a bundler has left it out or the page's policy forbids it, PDF.js runs on the page's thread.
import { register } from './register.ts';

register({
  loadPdfjs: () => import('./pdfjs.ts'),
  // Bundlers look for an address that is written like this.
  startWorker: () => new Worker(new URL('./pdf-worker.js', import.meta.url), { type: 'module' }),
});

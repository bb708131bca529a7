// The entry for Node. `ambry` imports it by itself where it is installed beside. The worker of `ambry` that reads documents
// loads PDF.js.
import { register } from './register.ts';

register({
  address: new URL('./pdfjs.js', import.meta.url).href,
  loadPdfjs: () => import('./pdfjs.ts'),
});

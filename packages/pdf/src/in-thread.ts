// For `ambry/passages/in-thread`: PDF.js comes at once and runs on the caller's thread. Service workers import nothing later.
import * as pdfjs from './pdfjs.ts';
import { register } from './register.ts';

register({ loadPdfjs: async () => pdfjs });

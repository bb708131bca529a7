// The worker of a page that reads PDFs.
import { servePdfs } from '../reader/serve-pdfs.js';
import * as pdfjs from './pdfjs.ts';

servePdfs(pdfjs);

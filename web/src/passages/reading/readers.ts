// Reads documents of all types. PDF.js is loaded with the first PDF.
import type { LoadPdfjs } from '../pdf/pdf-package.ts';
import type { Readers } from '../sections/contents.ts';
import { textReaders } from './text-readers.ts';

export const allReaders = (loadPdfjs: LoadPdfjs): Readers => ({
  ...textReaders,
  pdf: async (input) => {
    const pdfjs = await loadPdfjs(input.path);
    return (await import('../pdf/pdf.ts')).readPdf(input, pdfjs);
  },
});

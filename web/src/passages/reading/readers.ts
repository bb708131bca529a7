// Finds the readers of documents of all types. Their code is loaded with the first document that needs it: one file for texts
// of all kinds, and PDF.js.
import type { LoadPdfjs } from '../pdf/pdf-package.ts';
import type { FindReader } from '../sections/contents.ts';

export const allReaders =
  (loadPdfjs: LoadPdfjs): FindReader =>
  async (id) => {
    if (id !== 'pdf') {
      return (await import('./text-readers.ts')).textReaders[id];
    }
    const { readPdf } = await import('../pdf/pdf.ts');
    return async (input) => readPdf(input, await loadPdfjs(input.path));
  };

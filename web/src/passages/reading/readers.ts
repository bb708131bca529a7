// Reads documents of all types. PDF.js is loaded with the first PDF.
import type { Readers } from '../sections/contents.ts';
import { textReaders } from './text-readers.ts';

export const allReaders: Readers = {
  ...textReaders,
  pdf: async (input) => (await import('../pdf/pdf.ts')).readPdf(input),
};

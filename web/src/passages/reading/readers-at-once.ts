// All readers of documents, in a program that loads no code later. web/build/bundle.mjs puts this in the place of readers.ts.
import { readPdf } from '../pdf/pdf.ts';
import type { LoadPdfjs } from '../pdf/pdf-package.ts';
import type { FindReader } from '../sections/contents.ts';
import { textReaders } from './text-readers.ts';

export const allReaders =
  (loadPdfjs: LoadPdfjs): FindReader =>
  (id) =>
    id === 'pdf' ? async (input) => readPdf(input, await loadPdfjs(input.path)) : textReaders[id];

// The package ambry-pdf, which has PDF.js. A program imports it for its effect: it leaves here how PDF.js is loaded.
import { AmbryError } from '../../base/errors.ts';
import type { Pdfjs } from './pdfjs.ts';

export interface PdfPackage {
  /** In Node, the address of PDF.js, from which a worker loads it. */
  readonly address?: string;
  readonly loadPdfjs: () => Promise<Pdfjs>;
  /** Starts the worker of a page that reads PDFs. */
  readonly startWorker?: () => Worker;
}

/** `path` is that of the document, for the error where there is no PDF.js. */
export type LoadPdfjs = (path: string) => Promise<Pdfjs>;

/** Where the package leaves it. */
const key = Symbol.for('ambry-pdf');

/** Undefined until the program has imported the package. */
export function importedPdfPackage(): PdfPackage | undefined {
  return Reflect.get(globalThis, key) as PdfPackage | undefined;
}

/** `path` is that of the document. `advice` says how a program finds the package that is installed. */
export function missingPdfPackage(path: string, advice: string): AmbryError {
  const message = `Reading a PDF needs the package ambry-pdf. Run npm install ambry-pdf${advice}`;
  return new AmbryError('Unsupported', message, { path });
}

/** A page loads nothing that its program did not name. */
export function requirePdfPackage(path: string): PdfPackage {
  const found = importedPdfPackage();
  if (found) {
    return found;
  }
  throw missingPdfPackage(
    path,
    ", and add this line: import 'ambry-pdf'; with ambry/passages/in-thread: import 'ambry-pdf/in-thread'. A page without a bundler imports the address of node_modules/ambry-pdf/dist/index.js on its server.",
  );
}

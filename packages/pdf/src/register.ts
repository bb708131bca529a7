// Tells `ambry` how PDF.js is loaded (web/src/passages/pdf/pdf-package.ts in its sources).

interface PdfPackage {
  /** In Node, the address of PDF.js, from which a worker loads it. */
  readonly address?: string;
  readonly loadPdfjs: () => Promise<object>;
  /** Starts the worker of a page that reads PDFs. */
  readonly startWorker?: () => Worker;
}

/** Where `ambry` looks for it. */
const key = Symbol.for('ambry-pdf');

export function register(pdfPackage: PdfPackage): void {
  Object.assign(globalThis, { [key]: pdfPackage });
}

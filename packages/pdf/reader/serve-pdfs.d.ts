// The file that web/build/bundle.mjs makes here: the worker that reads PDFs, without PDF.js.

/** Makes a worker read PDFs with PDF.js. */
export function servePdfs(pdfjs: object): void;

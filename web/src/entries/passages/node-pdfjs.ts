// Finds PDF.js in Node: in the package ambry-pdf that the program has imported, or that is installed beside `ambry`.
import { importedPdfPackage, missingPdfPackage } from '../../passages/pdf/pdf-package.ts';
import type { Pdfjs } from '../../passages/pdf/pdfjs.ts';
import { importCompanion } from '../../runtime/node-companion.ts';

/** `path` is that of the document. `address` is where the program has PDF.js, for a worker. A bundler may have left nothing there. */
export async function loadPdfjs(path: string, address?: string): Promise<Pdfjs> {
  const given = address === undefined ? undefined : await pdfjsAt(address);
  if (given) {
    return given;
  }
  if (!importedPdfPackage()) {
    await importCompanion('ambry-pdf');
  }
  const found = importedPdfPackage();
  if (!found) {
    throw missingPdfPackage(path, ' (with --global if ambry was installed so).');
  }
  return found.loadPdfjs();
}

async function pdfjsAt(address: string): Promise<Pdfjs | undefined> {
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ address);
  } catch {
    return undefined;
  }
}

// Turns a PDF into sections. PDF.js extracts the lines.

import { AmbryError, isAbort, messageOf } from '../../base/errors.ts';
import { withoutStop } from '../../base/without-stop.ts';
import type { DocumentContents, Input, WorkSteps } from '../sections/contents.ts';
import { withoutHeadersAndFooters } from './headers-footers.ts';
import { type PdfLine, type PdfLines, pdfLines } from './pdf-lines.ts';
import { pageSections } from './pdf-sections.ts';
import type { Pdfjs } from './pdfjs.ts';

const magic = '%PDF-';
/** Some files have other bytes before the magic. */
const magicSearchBytes = 1024;
const maxListedPages = 10;

export async function readPdf(
  { path, bytes, steps }: Input,
  pdfjs: Pdfjs,
): Promise<DocumentContents> {
  if (bytes.length === 0) {
    return { sections: [], encoding: null, warnings: () => [] };
  }
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, magicSearchBytes));
  if (!head.includes(magic)) {
    const message = `${path} is not a PDF: its first ${magicSearchBytes} bytes do not contain ${magic}.`;
    throw new AmbryError('BadMagic', message, { byteOffset: 0 });
  }
  const { pages, isForm, warnings } = await linesOf(path, bytes, steps, pdfjs);
  const { pages: ownLines, removed } = withoutHeadersAndFooters(pages);
  return {
    sections: [pageSections(ownLines)],
    encoding: null,
    warnings: () => [
      ...warnings,
      ...emptyPagesWarning(pages, isForm),
      ...removedLinesWarning(removed),
    ],
  };
}

async function linesOf(
  path: string,
  bytes: Uint8Array,
  steps: WorkSteps,
  pdfjs: Pdfjs,
): Promise<PdfLines> {
  try {
    return await pdfLines(bytes, steps, pdfjs);
  } catch (error) {
    if (error instanceof AmbryError || isAbort(error)) {
      throw error;
    }
    const { code, reason } = problemOf(error);
    throw new AmbryError(code, `${path} cannot be read as a PDF: ${withoutStop(reason)}.`);
  }
}

function problemOf(error: unknown) {
  const name = error instanceof Error ? error.name : '';
  return name === 'PasswordException'
    ? ({ code: 'Unsupported', reason: 'it is protected by a password' } as const)
    : ({ code: 'BadValue', reason: messageOf(error) } as const);
}

function emptyPagesWarning(pages: readonly (readonly PdfLine[])[], isForm: boolean): string[] {
  const empty = pages.flatMap((lines, i) => (lines.length === 0 ? [i + 1] : []));
  if (empty.length === 0) {
    return [];
  }
  if (empty.length === pages.length && isForm) {
    return ['The document has no text. It is a form, and its fields are empty.'];
  }
  if (empty.length === pages.length) {
    return ['The document has no text. Its pages are empty, or they are images such as scans.'];
  }
  const more = empty.length > maxListedPages ? ` and ${empty.length - maxListedPages} more` : '';
  return [`These pages have no text: ${empty.slice(0, maxListedPages).join(', ')}${more}.`];
}

function removedLinesWarning(lines: readonly string[]): string[] {
  if (lines.length === 0) {
    return [];
  }
  const quoted = lines.map((line) => `“${line}”`).join(', ');
  return [`Headers and footers were left out: ${quoted}.`];
}

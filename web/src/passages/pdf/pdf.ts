// Turns a PDF into sections. PDF.js extracts the lines, in a worker where the platform has them.
import { AmbryError } from '../../errors.ts';
import type { Section } from '../sections/section.ts';
import { Yielder } from '../yielder.ts';
import { withoutHeadersAndFooters } from './headers-footers.ts';
import type { PdfAnswer, PdfLine, PdfLines, PdfProblem } from './pdf-lines.ts';
import { pageSections } from './pdf-sections.ts';

export interface PdfContents {
  readonly sections: Section[];
  readonly warnings: string[];
}

const magic = '%PDF-';
/** Some files have other bytes before the magic. */
const magicSearchBytes = 1024;
const maxListedPages = 10;

export async function readPdf(
  path: string,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<PdfContents> {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, magicSearchBytes));
  if (bytes.length === 0) return { sections: [], warnings: [] };
  if (!head.includes(magic)) {
    const message = `${path} is not a PDF: its first ${magicSearchBytes} bytes do not contain ${magic}.`;
    throw new AmbryError('BadMagic', message, { byteOffset: 0 });
  }
  const { pages, warnings } = await linesOf(path, bytes, signal);
  const { pages: ownLines, removed } = withoutHeadersAndFooters(pages);
  return {
    sections: pageSections(ownLines),
    warnings: [...warnings, ...emptyPagesWarning(pages), ...removedLinesWarning(removed)],
  };
}

async function linesOf(
  path: string,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<PdfLines> {
  try {
    const hasWorkers = typeof Worker === 'function';
    return await (hasWorkers ? linesByWorker(bytes, signal) : linesInPlace(bytes, signal));
  } catch (error) {
    if (!isProblem(error)) throw error;
    throw new AmbryError(error.code, `${path} cannot be read as a PDF: ${error.message}.`);
  }
}

/** Node has no web workers, so it reads the PDF in place. */
async function linesInPlace(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<PdfLines> {
  const { pdfLines, pdfProblem } = await import('./pdf-lines.ts');
  const yielder = new Yielder(signal);
  try {
    return await pdfLines(bytes, () => yielder.yieldIfDue());
  } catch (error) {
    signal?.throwIfAborted();
    throw pdfProblem(error);
  }
}

async function linesByWorker(
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<PdfLines> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL('../pdf-worker.js', import.meta.url), { type: 'module' });
  let stop = () => {};
  try {
    return await new Promise((resolve, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop);
      worker.addEventListener('message', ({ data }: MessageEvent<Partial<PdfAnswer>>) => {
        if ('lines' in data && data.lines) resolve(data.lines);
        else if ('problem' in data) reject(data.problem);
      });
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        reject(workerCrashed(event.message));
      });
      worker.postMessage(bytes);
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    worker.terminate();
  }
}

function workerCrashed(reason: string | undefined): AmbryError {
  const why =
    reason ||
    'its script could not be loaded. Check `worker-src` in the page’s Content-Security-Policy';
  return new AmbryError('Crashed', `The PDF worker stopped: ${why}.`);
}

function isProblem(error: unknown): error is PdfProblem {
  return (
    typeof error === 'object' && error !== null && !(error instanceof Error) && 'code' in error
  );
}

function emptyPagesWarning(pages: readonly (readonly PdfLine[])[]): string[] {
  const empty = pages.flatMap((lines, i) => (lines.length === 0 ? [i + 1] : []));
  if (empty.length === 0) return [];
  if (empty.length === pages.length) {
    return ['The document has no text. Its pages are empty, or they are images such as scans.'];
  }
  const more = empty.length > maxListedPages ? ` and ${empty.length - maxListedPages} more` : '';
  return [`These pages have no text: ${empty.slice(0, maxListedPages).join(', ')}${more}.`];
}

function removedLinesWarning(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const quoted = lines.map((line) => `“${line}”`).join(', ');
  return [`Headers and footers were left out: ${quoted}.`];
}

// PDFs to sections: their lines by PDF.js, in a worker where there are such, without what every page repeats.
import { AmbryError } from '../../errors.ts';
import type { Section } from '../sections/blocks.ts';
import { Pace } from '../yielder.ts';
import { withoutFurniture } from './headers-footers.ts';
import type { FromPdfWorker, PdfLine, PdfLines, PdfProblem } from './pdf-lines.ts';
import { pageSections } from './pdf-sections.ts';

export interface PdfContents {
  readonly sections: Section[];
  readonly warnings: string[];
}

const kMagic = '%PDF-';
/** Some files have other bytes before the magic. */
const kMagicWithin = 1024;
const kMostListed = 10;

export async function readPdf(
  path: string,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<PdfContents> {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, kMagicWithin));
  if (bytes.length === 0) return { sections: [], warnings: [] };
  if (!head.includes(kMagic)) {
    throw new AmbryError('BadMagic', `${path} is no PDF: it lacks ${kMagic}.`, { byteOffset: 0 });
  }
  const { pages, warnings } = await linesOf(path, bytes, signal);
  const { pages: own, repeated } = withoutFurniture(pages);
  return {
    sections: pageSections(own),
    warnings: [...warnings, ...aboutPages(pages), ...aboutRepeated(repeated)],
  };
}

async function linesOf(
  path: string,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<PdfLines> {
  try {
    return await (typeof Worker === 'function' ? inWorker(bytes, signal) : here(bytes, signal));
  } catch (error) {
    if (!isProblem(error)) throw error;
    throw new AmbryError(error.code, `${path} cannot be read as a PDF: ${error.message}.`);
  }
}

/** Node reads it where it is, a page at a time. */
async function here(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<PdfLines> {
  const { pdfLines, pdfProblem } = await import('./pdf-lines.ts');
  const pace = new Pace(signal);
  try {
    return await pdfLines(bytes, () => pace.rest());
  } catch (error) {
    signal?.throwIfAborted();
    throw pdfProblem(error);
  }
}

async function inWorker(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<PdfLines> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL('../pdf-worker.js', import.meta.url), { type: 'module' });
  let stop = () => {};
  try {
    return await new Promise((resolve, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop);
      worker.addEventListener('message', ({ data }: MessageEvent<Partial<FromPdfWorker>>) => {
        if ('lines' in data && data.lines) resolve(data.lines);
        else if ('problem' in data) reject(data.problem);
      });
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        reject(crashed(event.message));
      });
      worker.postMessage(bytes);
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    worker.terminate();
  }
}

function crashed(said: string | undefined): AmbryError {
  const why = said || 'its script could not be loaded (check `worker-src` of the CSP)';
  return new AmbryError('Crashed', `The worker for PDFs ended: ${why}.`);
}

function isProblem(error: unknown): error is PdfProblem {
  return (
    typeof error === 'object' && error !== null && !(error instanceof Error) && 'code' in error
  );
}

function aboutPages(pages: readonly (readonly PdfLine[])[]): string[] {
  const bare = pages.flatMap((lines, i) => (lines.length === 0 ? [i + 1] : []));
  if (bare.length === 0) return [];
  if (bare.length === pages.length) {
    return ['There is no text in it: its pages are pictures, as of a scan, or empty.'];
  }
  const more = bare.length > kMostListed ? ` and ${bare.length - kMostListed} more` : '';
  return [`These pages have no text: ${bare.slice(0, kMostListed).join(', ')}${more}.`];
}

function aboutRepeated(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [
    `Lines that its pages repeat were left out: ${lines.map((line) => `“${line}”`).join(', ')}.`,
  ];
}

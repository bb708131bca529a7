// PDFs to sections. Their text is a heap of lines: paragraphs are found by the space between them, and what every
// page repeats is left out. Positions are pages.
import { AmbryError } from '../errors.ts';
import { type Block, RunningText, type Section } from './blocks.ts';
import { Pace } from './pace.ts';
import { withoutFurniture } from './page-furniture.ts';
import type { FromPdfWorker, PdfLine, PdfLines, PdfProblem } from './pdf-lines.ts';

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
  const blocks = paragraphsOf(own);
  return {
    sections: blocks.length === 0 ? [] : [{ heading: '', blocks, isPaged: true }],
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
  const worker = new Worker(new URL('./pdf-worker.js', import.meta.url), { type: 'module' });
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

/** A wider gap than between the lines of a paragraph, relative to the usual one and to the letters. */
const kWideGap = 1.35;
const kWideOfLetters = 2.2;
/** From line to line, letters of a paragraph differ by less than this. */
const kOtherSize = 0.15;

/** A paragraph that a page's end cuts goes on with the next page. */
function paragraphsOf(pages: readonly (readonly PdfLine[])[]): Block[] {
  const blocks: Block[] = [];
  const text = new RunningText();
  let before: PdfLine | undefined;
  pages.forEach((lines, i) => {
    const usual = usualGap(lines);
    lines.forEach((line, j) => {
      const isSame = before && (j === 0 ? goesOn(before, line) : isNext(before, line, usual));
      if (!isSame && !text.isEmpty) blocks.push(text.take('prose'));
      text.append(tidyEnd(line.text, lines[j + 1] ?? pages[i + 1]?.[0]), i + 1);
      before = line;
    });
  });
  if (!text.isEmpty) blocks.push(text.take('prose'));
  return blocks;
}

function isNext(before: PdfLine, line: PdfLine, usual: number): boolean {
  const gap = before.y - line.y;
  // Upwards it goes to the next column.
  if (gap < 0) return goesOn(before, line);
  if (Math.abs(before.size - line.size) > kOtherSize * before.size) return false;
  return gap <= kWideGap * usual && gap <= kWideOfLetters * Math.max(before.size, line.size);
}

function goesOn(before: PdfLine, line: PdfLine): boolean {
  return !/[.!?:;。！？]["'”’)\]]*$/.test(before.text) && /^\p{Ll}/u.test(line.text);
}

function usualGap(lines: readonly PdfLine[]): number {
  const gaps = lines
    .flatMap((line, i) => (i === 0 ? [] : [(lines[i - 1]?.y ?? 0) - line.y]))
    .filter((gap) => gap > 0)
    .sort((a, b) => a - b);
  return gaps[gaps.length >> 1] ?? 0;
}

/** A word that the line's end parted is whole again; between other lines is a space. */
function tidyEnd(text: string, next: PdfLine | undefined): string {
  const isParted = /\p{L}[-\u00ad]$/u.test(text) && /^\p{Ll}/u.test(next?.text ?? '');
  return isParted ? text.slice(0, -1) : `${text} `;
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

// Extracts the lines of text of a PDF with PDF.js.

import { AmbryError, messageOf } from '../../base/errors.ts';
import type { WorkSteps } from '../sections/contents.ts';
import { getDocument } from './pdfjs.ts';

/** A line of text on a page. */
export interface PdfLine {
  readonly text: string;
  /** The height above the bottom of the page, in points. */
  readonly y: number;
  /** The font size in points. */
  readonly size: number;
}

export interface PdfLines {
  /** The lines of each page, in the order of the file. */
  readonly pages: readonly (readonly PdfLine[])[];
  /** Problems with single pages and fonts. */
  readonly warnings: readonly string[];
}

interface Item {
  readonly str: string;
  readonly transform: readonly number[];
  readonly height: number;
  readonly hasEOL: boolean;
}

/** Limits of what a small file may unpack to. */
const maxPages = 100_000;
const maxTextUnits = 1 << 26;

/** Reads a PDF page by page. */
export async function pdfLines(bytes: Uint8Array, steps: WorkSteps): Promise<PdfLines> {
  const missingTables = new Set<string>();
  const loading = getDocument(settings(bytes, missingTables));
  try {
    const document = await loading.promise;
    checkPages(document.numPages);
    const pages: PdfLine[][] = [];
    const warnings: string[] = [];
    const tally = { unmapped: 0, units: 0 };
    for (let n = 1; n <= document.numPages; n++) {
      await steps.yielder.yieldIfDue();
      steps.onStep(`page ${n}`);
      try {
        const page = await document.getPage(n);
        pages.push(linesOf(await itemsOf(page, n, tally), tally));
        page.cleanup();
      } catch (error) {
        if (error instanceof AmbryError) {
          throw error;
        }
        pages.push([]);
        warnings.push(`Page ${n} could not be read: ${messageOf(error)}`);
      }
    }
    return { pages, warnings: [...warnings, ...fontWarnings(missingTables, tally.unmapped)] };
  } finally {
    await loading.destroy();
  }
}

interface Tally {
  /** Characters without a Unicode mapping. */
  unmapped: number;
  /** Code units of text so far. */
  units: number;
}

type PdfDocument = Awaited<ReturnType<typeof getDocument>['promise']>;
type Page = Awaited<ReturnType<PdfDocument['getPage']>>;
type TextContent = Awaited<ReturnType<Page['getTextContent']>>;

/** The items of a page, part by part, because a few bytes of a file may unpack to any amount of text. */
async function itemsOf(page: Page, n: number, tally: Tally): Promise<Item[]> {
  const items: Item[] = [];
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const item of part.value.items) {
      if (!('str' in item)) {
        continue;
      }
      // An item takes memory even if its text is short.
      tally.units += item.str.length + 1;
      items.push(item);
    }
    if (tally.units > maxTextUnits) {
      throw tooMuchText(n);
    }
  }
  return items;
}

function checkPages(pages: number): void {
  if (pages <= maxPages) {
    return;
  }
  const message = `The PDF has ${pages} pages. At most ${maxPages} are read. Split it into smaller files.`;
  throw new AmbryError('LimitExceeded', message, { path: `page ${maxPages + 1}` });
}

function tooMuchText(n: number): AmbryError {
  const message = `The PDF has more than 64 million characters of text by page ${n}. Split it into smaller files.`;
  return new AmbryError('LimitExceeded', message, { path: `page ${n}` });
}

function settings(bytes: Uint8Array, missingTables: Set<string>) {
  return {
    // PDF.js transfers this memory, so it gets a copy.
    data: new Uint8Array(bytes),
    isEvalSupported: false,
    useSystemFonts: true,
    useWorkerFetch: false,
    verbosity: 0,
    // The character tables of old East Asian fonts are large and not included. A warning names those that are missing.
    BinaryDataFactory: class {
      async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }) {
        if (kind === 'cMapUrl') {
          missingTables.add(filename);
        }
        throw new Error(`${filename} is not included`);
      }
    },
  };
}

function linesOf(items: readonly Item[], tally: Tally): PdfLine[] {
  const lines: PdfLine[] = [];
  let text = '';
  let first: Item | undefined;
  const endLine = () => {
    if (first && text.trim() !== '') {
      lines.push({ text: text.trim(), y: first.transform[5] ?? 0, size: first.height });
    }
    text = '';
    first = undefined;
  };
  for (const item of items) {
    if (item.str.trim() !== '') {
      first ??= item;
    }
    // A font without a Unicode mapping gives control characters.
    text += item.str.replace(/\p{Cc}/gu, () => {
      tally.unmapped++;
      return '';
    });
    if (item.hasEOL) {
      endLine();
    }
  }
  endLine();
  return lines;
}

function fontWarnings(missingTables: ReadonlySet<string>, unmapped: number): string[] {
  const warnings: string[] = [];
  if (missingTables.size > 0) {
    const names = [...missingTables].join(', ');
    warnings.push(
      `Some text may be missing: its fonts need character tables (${names}) that Ambry does not include.`,
    );
  }
  if (unmapped > 0) {
    const subject = unmapped === 1 ? '1 character was' : `${unmapped} characters were`;
    warnings.push(`${subject} left out, because the fonts have no Unicode mapping.`);
  }
  return warnings;
}

// Extracts the lines of text of a PDF with PDF.js. Runs in a worker in browsers, and in place in Node.
import { getDocument } from 'unpdf/pdfjs';

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

/** An error as plain data, so that the worker can send it. */
export interface PdfProblem {
  readonly code: 'BadValue' | 'Unsupported';
  readonly message: string;
}

/** The worker's answer. */
export type PdfAnswer = { readonly lines: PdfLines } | { readonly problem: PdfProblem };

interface Item {
  readonly str: string;
  readonly transform: readonly number[];
  readonly height: number;
  readonly hasEOL: boolean;
}

/** Reads a PDF page by page. Awaits `yieldIfDue` before each page. */
export async function pdfLines(
  bytes: Uint8Array,
  yieldIfDue: () => Promise<void>,
): Promise<PdfLines> {
  const missingTables = new Set<string>();
  const loading = getDocument(settings(bytes, missingTables));
  try {
    const document = await loading.promise;
    const pages: PdfLine[][] = [];
    const warnings: string[] = [];
    const unmapped = { characters: 0 };
    for (let n = 1; n <= document.numPages; n++) {
      await yieldIfDue();
      try {
        const page = await document.getPage(n);
        const { items } = await page.getTextContent();
        const texts = items.filter((item) => 'str' in item);
        pages.push(linesOf(texts, unmapped));
        page.cleanup();
      } catch (error) {
        pages.push([]);
        warnings.push(`Page ${n} could not be read: ${messageOf(error)}`);
      }
    }
    return { pages, warnings: [...warnings, ...fontWarnings(missingTables, unmapped.characters)] };
  } finally {
    await loading.destroy();
  }
}

export function pdfProblem(error: unknown): PdfProblem {
  const name = error instanceof Error ? error.name : '';
  return name === 'PasswordException'
    ? { code: 'Unsupported', message: 'it is protected by a password' }
    : { code: 'BadValue', message: messageOf(error) };
}

function settings(bytes: Uint8Array, missingTables: Set<string>) {
  return {
    // PDF.js transfers this memory, so it gets a copy.
    data: bytes.slice(),
    isEvalSupported: false,
    useSystemFonts: true,
    useWorkerFetch: false,
    verbosity: 0,
    // The character tables of old East Asian fonts are large and not included. A warning names those that are missing.
    BinaryDataFactory: class {
      async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }) {
        if (kind === 'cMapUrl') missingTables.add(filename);
        throw new Error(`${filename} is not included`);
      }
    },
  };
}

function linesOf(items: readonly Item[], unmapped: { characters: number }): PdfLine[] {
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
    if (item.str.trim() !== '') first ??= item;
    // A font without a Unicode mapping gives control characters.
    text += item.str.replace(/\p{Cc}/gu, () => {
      unmapped.characters++;
      return '';
    });
    if (item.hasEOL) endLine();
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

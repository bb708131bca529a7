// A PDF to lines of text, by PDF.js. Runs in a worker where there are such; a page is taken at a time.
import { getDocument } from 'unpdf/pdfjs';

/** A line of a page, from its top left corner in the order of the file. */
export interface PdfLine {
  readonly text: string;
  /** Height above the foot of the page, and that of its letters, in points. */
  readonly y: number;
  readonly size: number;
}

export interface PdfLines {
  readonly pages: readonly (readonly PdfLine[])[];
  /** What went wrong with single pages and fonts. */
  readonly warnings: readonly string[];
}

/** A failure in a form that crosses from a worker. */
export interface PdfProblem {
  readonly code: 'BadValue' | 'Unsupported';
  readonly message: string;
}

/** What the worker answers. */
export type FromPdfWorker = { readonly lines: PdfLines } | { readonly problem: PdfProblem };

interface Item {
  readonly str: string;
  readonly transform: readonly number[];
  readonly height: number;
  readonly hasEOL: boolean;
}

/** `rest` is waited for between two pages. */
export async function pdfLines(bytes: Uint8Array, rest: () => Promise<void>): Promise<PdfLines> {
  const tables = new Set<string>();
  const loading = getDocument(settings(bytes, tables));
  try {
    const document = await loading.promise;
    const pages: PdfLine[][] = [];
    const warnings: string[] = [];
    const unknown = { signs: 0 };
    for (let n = 1; n <= document.numPages; n++) {
      await rest();
      try {
        const page = await document.getPage(n);
        const { items } = await page.getTextContent();
        pages.push(
          linesOf(
            items.filter((item) => 'str' in item),
            unknown,
          ),
        );
        page.cleanup();
      } catch (error) {
        pages.push([]);
        warnings.push(`Page ${n} could not be read: ${saidBy(error)}`);
      }
    }
    if (tables.size > 0) {
      const names = [...tables].join(', ');
      warnings.push(`Some text may be missing: its fonts need the character tables ${names}.`);
    }
    if (unknown.signs > 0) {
      warnings.push(
        `Its fonts do not say what ${unknown.signs} of its signs are; they are left out.`,
      );
    }
    return { pages, warnings };
  } finally {
    await loading.destroy();
  }
}

export function pdfProblem(error: unknown): PdfProblem {
  const name = error instanceof Error ? error.name : '';
  return name === 'PasswordException'
    ? { code: 'Unsupported', message: 'it is locked with a password' }
    : { code: 'BadValue', message: saidBy(error) };
}

function settings(bytes: Uint8Array, tables: Set<string>) {
  return {
    // PDF.js takes the memory that it is given away.
    data: bytes.slice(),
    isEvalSupported: false,
    useSystemFonts: true,
    useWorkerFetch: false,
    verbosity: 0,
    // Tables for characters of old East Asian files are many; what lacks one is told.
    BinaryDataFactory: class {
      async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }) {
        if (kind === 'cMapUrl') tables.add(filename);
        throw new Error(`${filename} is not at hand`);
      }
    },
  };
}

function linesOf(items: readonly Item[], unknown: { signs: number }): PdfLine[] {
  const lines: PdfLine[] = [];
  let text = '';
  let first: Item | undefined;
  const close = () => {
    if (first && text.trim() !== '') {
      lines.push({ text: text.trim(), y: first.transform[5] ?? 0, size: first.height });
    }
    text = '';
    first = undefined;
  };
  for (const item of items) {
    if (item.str.trim() !== '') first ??= item;
    text += item.str.replace(/\p{Cc}/gu, () => {
      unknown.signs++;
      return '';
    });
    if (item.hasEOL) close();
  }
  close();
  return lines;
}

function saidBy(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// Extracts the lines of text of a PDF with PDF.js.
import { AmbryError, messageOf } from '../../base/errors.ts';
import { withoutStop } from '../../base/without-stop.ts';
import type { WorkSteps } from '../sections/contents.ts';
import { withColumns } from './columns.ts';
import { isField, valuesIn } from './field-values.ts';
import { joinedParts } from './letter-spacing.ts';
import { countText, itemsOf, type Tally } from './page-items.ts';
import type { Page, Pdfjs, PdfjsSettings, TextItem } from './pdfjs.ts';
import { withValues } from './place-values.ts';
import { DrawnTwice, type Run, runOf } from './runs.ts';
import { linesOf, type TextLine } from './text-lines.ts';

/** A line of text on a page. */
export interface PdfLine {
  readonly text: string;
  /** The height above the bottom of the page, in points. */
  readonly y: number;
  /** The font size in points. */
  readonly size: number;
  /** The direction of the text in degrees. */
  readonly angle: number;
}

export interface PdfLines {
  /** The lines of each page, in the order of reading. */
  readonly pages: readonly (readonly PdfLine[])[];
  /** Whether there are fields to fill in. */
  readonly isForm: boolean;
  /** Problems with single pages and fonts. */
  readonly warnings: readonly string[];
}

/** A small file may have any number of pages. */
const maxPages = 100_000;

/** Reads a PDF page by page. */
export async function pdfLines(
  bytes: Uint8Array,
  steps: WorkSteps,
  { getDocument }: Pdfjs,
): Promise<PdfLines> {
  const missingTables = new Set<string>();
  const loading = getDocument(settings(bytes, missingTables));
  try {
    const document = await loading.promise;
    checkPages(document.numPages);
    const pages: PdfLine[][] = [];
    const warnings: string[] = [];
    const tally = { unmapped: 0, units: 0, fields: 0 };
    for (let n = 1; n <= document.numPages; n++) {
      await steps.yielder.yieldIfDue();
      steps.onStep(`page ${n}`);
      try {
        const page = await document.getPage(n);
        pages.push(await pageLines(page, n, tally));
        page.cleanup();
      } catch (error) {
        if (error instanceof AmbryError) {
          throw error;
        }
        pages.push([]);
        warnings.push(`Page ${n} could not be read: ${withoutStop(messageOf(error))}.`);
      }
    }
    const all = [...warnings, ...fontWarnings(missingTables, tally.unmapped)];
    return { pages, isForm: tally.fields > 0, warnings: all };
  } finally {
    await loading.destroy();
  }
}

async function pageLines(page: Page, n: number, tally: Tally): Promise<PdfLine[]> {
  const items = await itemsOf(page, n, tally);
  const annotations = await page.getAnnotations();
  tally.fields += annotations.filter(isField).length;
  const values = valuesIn(annotations);
  for (const { text, name } of values) {
    countText(text.length + name.length + 1, n, tally);
  }
  const lines = withColumns(linesOf(runsOf(items, tally)));
  return withValues(lines, values).map(pdfLine);
}

function* runsOf(items: readonly TextItem[], tally: Tally): Generator<Run> {
  const drawn = new DrawnTwice();
  for (const item of items) {
    // A font without a Unicode mapping gives control characters.
    const text = item.str.replace(/\p{Cc}/gu, () => {
      tally.unmapped++;
      return '';
    });
    yield drawn.once(runOf(item, text));
  }
}

/** The part with most letters gives the size and the base line. */
function pdfLine(parts: TextLine): PdfLine {
  const main = parts.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  return { text: joinedParts(parts), y: main.y, size: main.size, angle: main.angle };
}

function checkPages(pages: number): void {
  if (pages <= maxPages) {
    return;
  }
  const message = `The PDF has ${pages} pages. At most ${maxPages} are read. Split it into smaller files.`;
  throw new AmbryError('LimitExceeded', message, { path: `page ${maxPages + 1}` });
}

function settings(bytes: Uint8Array, missingTables: Set<string>): PdfjsSettings {
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

// Turns the lines of PDF pages into sections. A PDF states neither paragraphs nor headings. The space between lines
// shows the paragraphs, and larger letters show the headings. Positions are pages.
import type { Section } from '../sections/section.ts';
import { SectionBuilder } from '../sections/section-builder.ts';
import { TextBuilder } from '../sections/text-builder.ts';
import { LineEnds } from './line-ends.ts';
import type { PdfLine } from './pdf-lines.ts';

/** A gap between lines ends a paragraph if it is larger than this many times the usual gap of the page, or this many
 *  times the font size. */
const maxGapOfUsual = 1.35;
const maxGapOfSize = 2.2;
/** The font size within a paragraph changes by at most this share. */
const maxSizeChange = 0.15;
/** The font of a heading is larger than that of the text by more than this share, and the heading is short. */
const headingEnlargement = 0.12;
const maxHeadingLength = 120;
const maxLevels = 6;

export function pageSections(pages: readonly (readonly PdfLine[])[]): Section[] {
  const sections = new SectionBuilder();
  const lines = pages.flat();
  const lineEnds = new LineEnds(() => textsOf(lines));
  new PageReader(sections, headingLevels(lines), lineEnds).read(pages);
  return sections.finish().map((section) => ({ ...section, isPaged: true }));
}

function* textsOf(lines: readonly PdfLine[]): Generator<string> {
  for (const { text } of lines) {
    yield text;
  }
}

/** The level of a heading, or 0 for a line of text. */
type LevelOf = (line: PdfLine) => number;

class PageReader {
  readonly #sections: SectionBuilder;
  readonly #levelOf: LevelOf;
  readonly #lineEnds: LineEnds;
  readonly #text = new TextBuilder();
  #level = 0;
  #isItem = false;
  /** The last line, which the next one may go on with. */
  #open: { readonly line: PdfLine; readonly text: string; readonly page: number } | undefined;

  constructor(sections: SectionBuilder, levelOf: LevelOf, lineEnds: LineEnds) {
    this.#sections = sections;
    this.#levelOf = levelOf;
    this.#lineEnds = lineEnds;
  }

  /** A paragraph may continue on the next page. */
  read(pages: readonly (readonly PdfLine[])[]): void {
    pages.forEach((lines, i) => {
      const usual = usualGap(lines);
      lines.forEach((line, j) => {
        const before = this.#open;
        if (before && this.#continues(before.line, line, j === 0 ? undefined : usual)) {
          this.#text.append(this.#lineEnds.ended(before.text, line.text), before.page);
          this.#open = { line, text: withoutLeaders(line.text), page: i + 1 };
        } else {
          this.#begin(line, i + 1);
        }
      });
    });
    this.#flush();
  }

  #begin(line: PdfLine, page: number): void {
    this.#flush();
    this.#level = this.#levelOf(line);
    this.#isItem = bullet.test(line.text);
    this.#open = { line, text: withoutLeaders(line.text.replace(bullet, '')), page };
  }

  #flush(): void {
    if (this.#open) {
      this.#text.append(this.#open.text, this.#open.page);
    }
    if (this.#text.isEmpty) {
      return;
    }
    const block = this.#text.takeBlock(this.#isItem ? 'item' : 'prose');
    if (this.#level > 0) {
      this.#sections.addHeading(this.#level, block);
    } else {
      this.#sections.addBlock(block);
    }
  }

  /** Whether `line` belongs to the paragraph of the line before. A line above the one before is in the next column.
   *  Without `usual` it is on the next page. */
  #continues(before: PdfLine, line: PdfLine, usual: number | undefined): boolean {
    if (bullet.test(line.text) || this.#levelOf(line) !== this.#level) {
      return false;
    }
    if (before.angle !== line.angle) {
      return false;
    }
    const gap = before.y - line.y;
    if (usual === undefined || gap < 0) {
      return this.#level === 0 && isUnfinished(before, line);
    }
    if (Math.abs(before.size - line.size) > maxSizeChange * before.size) {
      return false;
    }
    return gap <= maxGapOfUsual * usual && gap <= maxGapOfSize * Math.max(before.size, line.size);
  }
}

const bullet = /^[•▪◦‣●■–]\s+/u;

/** Whether the sentence of the line before goes on in `line`. */
function isUnfinished(before: PdfLine, line: PdfLine): boolean {
  return !/[.!?:;。！？]["'”’)\]]*$/.test(before.text) && /^\p{Ll}/u.test(line.text);
}

/** The median of the gaps between the lines of a page. */
function usualGap(lines: readonly PdfLine[]): number {
  const gaps = lines
    .flatMap((line, i) => (i === 0 ? [] : [(lines[i - 1]?.y ?? 0) - line.y]))
    .filter((gap) => gap > 0)
    .sort((a, b) => a - b);
  return gaps[gaps.length >> 1] ?? 0;
}

/** The text has the font size of most letters. Larger sizes are headings, and the largest is level 1. */
function headingLevels(lines: readonly PdfLine[]): LevelOf {
  const letters = new Map<number, number>();
  for (const { size, text } of lines) {
    letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + text.length);
  }
  const [textSize = 0] = [...letters].sort((a, b) => b[1] - a[1])[0] ?? [];
  const isHeading = ({ size, text }: PdfLine) =>
    rounded(size) > textSize * (1 + headingEnlargement) &&
    text.length <= maxHeadingLength &&
    /\p{L}/u.test(text);
  const sizes = new Set(lines.filter(isHeading).map(({ size }) => rounded(size)));
  const ranked = [...sizes].sort((a, b) => b - a);
  return (line) =>
    isHeading(line) ? Math.min(ranked.indexOf(rounded(line.size)) + 1, maxLevels) : 0;
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2;
}

/** The dots before a page number in a table of contents become one ellipsis. */
function withoutLeaders(text: string): string {
  return text.replace(/(?:\s?\.){4,}/g, ' …');
}

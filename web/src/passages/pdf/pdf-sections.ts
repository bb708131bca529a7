// Turns the lines of PDF pages into sections. A PDF states neither paragraphs nor headings. The space between lines
// shows the paragraphs, and larger letters show the headings. Positions are pages.
import type { Section } from '../sections/section.ts';
import { SectionBuilder } from '../sections/section-builder.ts';
import { TextBuilder } from '../sections/text-builder.ts';
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
  new PageReader(sections, headingLevels(pages.flat())).read(pages);
  return sections.finish().map((section) => ({ ...section, isPaged: true }));
}

/** The level of a heading, or 0 for a line of text. */
type LevelOf = (line: PdfLine) => number;

class PageReader {
  readonly #sections: SectionBuilder;
  readonly #levelOf: LevelOf;
  readonly #text = new TextBuilder();
  #level = 0;
  #isItem = false;

  constructor(sections: SectionBuilder, levelOf: LevelOf) {
    this.#sections = sections;
    this.#levelOf = levelOf;
  }

  /** A paragraph may continue on the next page. */
  read(pages: readonly (readonly PdfLine[])[]): void {
    let before: PdfLine | undefined;
    pages.forEach((lines, i) => {
      const usual = usualGap(lines);
      lines.forEach((line, j) => {
        const continues = before && this.#continues(before, line, j === 0 ? undefined : usual);
        if (!continues) {
          this.#begin(line);
        }
        const next = lines[j + 1] ?? pages[i + 1]?.[0];
        const text = continues ? line.text : line.text.replace(bullet, '');
        this.#text.append(withLineEnd(text, next), i + 1);
        before = line;
      });
    });
    this.#flush();
  }

  #begin(line: PdfLine): void {
    this.#flush();
    this.#level = this.#levelOf(line);
    this.#isItem = bullet.test(line.text);
  }

  #flush(): void {
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

/** Joins a word that is hyphenated at the end of the line, and else adds a space. The dots before a page number in a
 *  table of contents become one ellipsis. */
function withLineEnd(text: string, next: PdfLine | undefined): string {
  const isHyphenated = /\p{L}[-\u00ad]$/u.test(text) && /^\p{Ll}/u.test(next?.text ?? '');
  return isHyphenated ? text.slice(0, -1) : `${text.replace(/(?:\s?\.){4,}/g, ' …')} `;
}

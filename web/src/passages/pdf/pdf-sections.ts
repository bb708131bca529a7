// Lines of pages to sections. A PDF knows neither paragraphs nor headings: the space between lines tells the
// ones, larger letters tell the others. Positions are pages.
import { Outline, RunningText, type Section } from '../sections/blocks.ts';
import type { PdfLine } from './pdf-lines.ts';

/** A wider gap than between the lines of a paragraph, relative to the usual one and to the letters. */
const kWideGap = 1.35;
const kWideOfLetters = 2.2;
/** From line to line, letters of a paragraph differ by less than this share. */
const kOtherSize = 0.15;
/** A heading's letters are larger than those of the text by this share at least, and it is short. */
const kLarger = 0.12;
const kLongestHeading = 120;
const kMostLevels = 6;

export function pageSections(pages: readonly (readonly PdfLine[])[]): Section[] {
  const outline = new Outline();
  new Reader(outline, levelsOf(pages.flat())).read(pages);
  return outline.end().map((section) => ({ ...section, isPaged: true }));
}

/** The level of a heading with letters of this size; 0 for text. */
type LevelOf = (line: PdfLine) => number;

class Reader {
  readonly #outline: Outline;
  readonly #levelOf: LevelOf;
  readonly #text = new RunningText();
  #level = 0;
  #isItem = false;

  constructor(outline: Outline, levelOf: LevelOf) {
    this.#outline = outline;
    this.#levelOf = levelOf;
  }

  /** A paragraph that a page's end cuts goes on with the next page. */
  read(pages: readonly (readonly PdfLine[])[]): void {
    let before: PdfLine | undefined;
    pages.forEach((lines, i) => {
      const usual = usualGap(lines);
      lines.forEach((line, j) => {
        const isSame = before && this.#goesOn(before, line, j === 0 ? undefined : usual);
        if (!isSame) this.#begin(line);
        const next = lines[j + 1] ?? pages[i + 1]?.[0];
        const text = isSame ? line.text : line.text.replace(kBullet, '');
        this.#text.append(tidyEnd(text, next), i + 1);
        before = line;
      });
    });
    this.#flush();
  }

  #begin(line: PdfLine): void {
    this.#flush();
    this.#level = this.#levelOf(line);
    this.#isItem = kBullet.test(line.text);
  }

  #flush(): void {
    if (this.#text.isEmpty) return;
    const block = this.#text.take(this.#isItem ? 'item' : 'prose');
    if (this.#level > 0) this.#outline.heading(this.#level, block);
    else this.#outline.add(block);
  }

  /** Whether `line` belongs to the paragraph of the line before. Upwards, it is in the next column, and without
   *  `usual` on the next page. */
  #goesOn(before: PdfLine, line: PdfLine, usual: number | undefined): boolean {
    if (kBullet.test(line.text) || this.#levelOf(line) !== this.#level) return false;
    const gap = before.y - line.y;
    if (usual === undefined || gap < 0) return this.#level === 0 && isCut(before, line);
    if (Math.abs(before.size - line.size) > kOtherSize * before.size) return false;
    return gap <= kWideGap * usual && gap <= kWideOfLetters * Math.max(before.size, line.size);
  }
}

const kBullet = /^[•▪◦‣●■–]\s+/u;

function isCut(before: PdfLine, line: PdfLine): boolean {
  return !/[.!?:;。！？]["'”’)\]]*$/.test(before.text) && /^\p{Ll}/u.test(line.text);
}

function usualGap(lines: readonly PdfLine[]): number {
  const gaps = lines
    .flatMap((line, i) => (i === 0 ? [] : [(lines[i - 1]?.y ?? 0) - line.y]))
    .filter((gap) => gap > 0)
    .sort((a, b) => a - b);
  return gaps[gaps.length >> 1] ?? 0;
}

/** The text has the size that most letters have; larger ones are headings, the largest of the first level. */
function levelsOf(lines: readonly PdfLine[]): LevelOf {
  const letters = new Map<number, number>();
  for (const { size, text } of lines) {
    letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + text.length);
  }
  const [usual = 0] = [...letters].sort((a, b) => b[1] - a[1])[0] ?? [];
  const isHeading = ({ size, text }: PdfLine) =>
    rounded(size) > usual * (1 + kLarger) && text.length <= kLongestHeading && /\p{L}/u.test(text);
  const sizes = new Set(lines.filter(isHeading).map(({ size }) => rounded(size)));
  const ranks = [...sizes].sort((a, b) => b - a);
  return (line) =>
    isHeading(line) ? Math.min(ranks.indexOf(rounded(line.size)) + 1, kMostLevels) : 0;
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2;
}

/** A word that the line's end parted is whole again; between other lines is a space. Dots that lead to a page
 *  number, as in a table of contents, are one sign. */
function tidyEnd(text: string, next: PdfLine | undefined): string {
  const isParted = /\p{L}[-\u00ad]$/u.test(text) && /^\p{Ll}/u.test(next?.text ?? '');
  return isParted ? text.slice(0, -1) : `${text.replace(/(?:\s?\.){4,}/g, ' …')} `;
}

// The blocks of a text in a markup that is read line by line: a paragraph grows with each line, and other blocks end it.
import type { Block, Section } from './section.ts';
import { SectionBuilder } from './section-builder.ts';
import { maxBatchUnits } from './short-blocks.ts';
import { linesBlock, rowText } from './table-lines.ts';
import { TextBuilder } from './text-builder.ts';

export interface Line {
  readonly text: string;
  readonly position: number;
}

export class LineBlocks {
  readonly #sections = new SectionBuilder();
  readonly #paragraph = new TextBuilder();
  readonly #readable: (text: string) => string;
  /** The lines of the paragraph. Signs of markup may go over several lines. */
  #lines: Line[] = [];
  #units = 0;
  #kind: Block['kind'] = 'prose';

  /** `readable` takes the signs of markup out of a text. It keeps the lines. */
  constructor(readable: (text: string) => string) {
    this.#readable = readable;
  }

  get isInParagraph(): boolean {
    return this.#lines.length > 0;
  }

  get isFull(): boolean {
    return this.#sections.isFull;
  }

  take(): Section[] {
    return this.#sections.take();
  }

  finish(): Section[] {
    this.endParagraph();
    return this.#sections.finish();
  }

  addHeading(level: number, { text, position }: Line): void {
    this.endParagraph();
    this.#sections.addHeading(level, { text: this.#shown(text), position, kind: 'prose' });
  }

  /** Adds a line to the paragraph. */
  addText(line: Line): void {
    this.#lines.push(line);
    this.#units += line.text.length;
    if (this.#units > maxBatchUnits) {
      this.endParagraph();
    }
  }

  /** Begins a list item. */
  addItem(line: Line): void {
    this.endParagraph();
    this.#kind = 'item';
    this.addText(line);
  }

  endParagraph(): void {
    const lines = this.#lines;
    if (lines.length > 0) {
      const texts = this.#readable(lines.map(({ text }) => text).join('\n')).split('\n');
      texts.forEach((text, i) => {
        this.#paragraph.append(text, lines[i]?.position ?? lines.at(-1)?.position ?? 1);
        this.#paragraph.addSpace();
      });
      this.#sections.addBlock(this.#paragraph.takeBlock(this.#kind));
    }
    this.#lines = [];
    this.#units = 0;
    this.#kind = 'prose';
  }

  /** Adds code: lines as they are, without the indentation that all have. */
  addCode(lines: readonly Line[]): void {
    this.endParagraph();
    const indents = lines
      .filter(({ text }) => text.trim() !== '')
      .map(({ text }) => text.length - text.trimStart().length);
    const indent = indents.reduce((least, each) => Math.min(least, each), Infinity);
    const code = lines.map(({ text, position }) => ({
      text: text.slice(indent).trimEnd(),
      position,
    }));
    this.#sections.addBlock(linesBlock(code));
  }

  /** Adds a table. Its header may be empty. */
  addTable(
    header: readonly string[],
    rows: readonly { readonly cells: readonly string[]; readonly position: number }[],
  ): void {
    this.endParagraph();
    const names = header.map((name) => this.#shown(name));
    const lines = rows.map(({ cells, position }) => ({
      text: rowText(
        names,
        cells.map((cell) => this.#shown(cell)),
      ),
      position,
    }));
    const only = lines.length === 0 ? [{ text: rowText([], names), position: 1 }] : lines;
    this.#sections.addBlock(linesBlock(only));
  }

  #shown(text: string): string {
    return this.#readable(text).replace(/\s+/g, ' ').trim();
  }
}

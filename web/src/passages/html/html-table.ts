// Turns a table into lines, one for each row. A line names the columns, so that it makes sense by itself.
import type { Block, PositionMark } from '../sections/section.ts';
import { rowText } from '../sections/table-lines.ts';
import type { Place } from './html-scanner.ts';

/** A table with one of these in a cell lays out a page. */
const layoutElements = new Set('h1 h2 h3 h4 h5 h6 table ul ol pre hr'.split(' '));

interface Row {
  readonly cells: string[];
  readonly line: number;
  /** Whether all cells are headers. */
  isHeader: boolean;
}

/** A table of values. When a cell shows that it lays out a page instead, it is read again as text. */
export class HtmlTable {
  /** The index of the element in the stack of open elements. */
  readonly index: number;
  /** Where its content begins. */
  readonly place: Place;
  /** Text between the cells. It stands before the table. */
  loose = '';
  #caption: { text: string; readonly line: number; isWhole: boolean } | undefined;
  #first: Row | undefined;
  #names: readonly string[] = [];
  #rows = 0;
  #row: Row | undefined;
  #cell: string | undefined;
  #paragraphs = 0;
  #isInCaption = false;
  #text = '';
  readonly #marks: PositionMark[] = [];

  constructor(index: number, place: Place) {
    this.index = index;
    this.place = place;
  }

  /** Whether what comes belongs to a cell or to the caption. */
  get isInPart(): boolean {
    return this.#isInCaption || this.#cell !== undefined;
  }

  /** Whether an element in the table shows that it lays out a page. */
  isLayoutWith(name: string): boolean {
    if (this.#isInCaption) return name === 'table';
    if (this.#cell === undefined) return false;
    if (name === 'p') this.#paragraphs++;
    return layoutElements.has(name) || this.#paragraphs > 1;
  }

  enter(name: string, line: number): void {
    if (name === 'tr') this.#beginRow(line);
    else if (name === 'td' || name === 'th') {
      this.#cell = '';
      this.#paragraphs = 0;
      if (this.#row && name === 'td') this.#row.isHeader = false;
    } else if (name === 'caption') {
      this.#isInCaption = true;
      this.#caption ??= { text: '', line, isWhole: false };
    }
  }

  leave(name: string): void {
    if (name === 'caption') {
      this.#isInCaption = false;
      // Only the first caption counts.
      if (this.#caption) this.#caption.isWhole = true;
    } else if (name === 'tr') this.#endRow();
    else if (name === 'td' || name === 'th') {
      this.#row?.cells.push(tidy(this.#cell ?? ''));
      this.#cell = undefined;
    }
  }

  append(text: string): void {
    if (this.#isInCaption) {
      if (this.#caption?.isWhole === false) this.#caption.text += text;
    } else if (this.#cell !== undefined) this.#cell += text;
    else if (/\S/.test(text)) this.loose += text;
  }

  finish(): Block {
    if (this.#first && this.#rows === 1) this.#addLine(this.#first);
    const caption = this.#caption && tidy(this.#caption.text);
    if (!this.#caption || caption === undefined || caption === '') return this.#block('', 0);
    return this.#block(this.#text === '' ? caption : `${caption}\n`, this.#caption.line);
  }

  #block(caption: string, line: number): Block {
    const marks =
      caption === ''
        ? this.#marks
        : [
            { at: 0, position: line },
            ...this.#marks.map(({ at, position }) => ({ at: at + caption.length, position })),
          ];
    const position = marks[0]?.position ?? 1;
    return { text: caption + this.#text, position, kind: 'lines', marks };
  }

  /** The names of the columns are known when there is a second row. */
  #beginRow(line: number): void {
    this.#rows++;
    this.#row = { cells: [], line, isHeader: true };
    const first = this.#first;
    if (this.#rows === 1) this.#first = this.#row;
    else if (this.#rows === 2 && first) {
      if (first.isHeader) this.#names = first.cells;
      if (this.#names.length === 0) this.#addLine(first);
    }
  }

  #endRow(): void {
    if (this.#row && this.#rows > 1) this.#addLine(this.#row);
    this.#row = undefined;
  }

  #addLine({ cells, line }: Row): void {
    const text = rowText(this.#names, cells);
    if (text === '') return;
    if (this.#text !== '') this.#text += '\n';
    this.#marks.push({ at: this.#text.length, position: line });
    this.#text += text;
  }
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

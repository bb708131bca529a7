// Turns a table into lines, one for each row. A line names the columns, so that it makes sense by itself.
import type { Block, PositionMarks } from '../sections/section.ts';
import { rowText } from '../sections/table-lines.ts';
import type { Place } from './html-scanner.ts';

/** A table with one of these in a cell lays out a page. */
const layoutElements = new Set('h1 h2 h3 h4 h5 h6 table ul ol pre hr'.split(' '));

/** Lines are joined when there are so many. */
const maxLines = 1024;

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
  /** The lines, as texts of many lines each and the last ones. Joined one by one, they would take much more memory. */
  readonly #texts: string[] = [];
  #lines: string[] = [];
  #length = 0;
  readonly #marks: PositionMarks = { ats: [], positions: [] };

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
    if (this.#isInCaption) {
      return name === 'table';
    }
    if (this.#cell === undefined) {
      return false;
    }
    if (name === 'p') {
      this.#paragraphs++;
    }
    return layoutElements.has(name) || this.#paragraphs > 1;
  }

  enter(name: string, line: number): void {
    if (name === 'tr') {
      this.#beginRow(line);
    } else if (name === 'td' || name === 'th') {
      this.#cell = '';
      this.#paragraphs = 0;
      if (this.#row && name === 'td') {
        this.#row.isHeader = false;
      }
    } else if (name === 'caption') {
      this.#isInCaption = true;
      this.#caption ??= { text: '', line, isWhole: false };
    }
  }

  leave(name: string): void {
    if (name === 'caption') {
      this.#isInCaption = false;
      // Only the first caption counts.
      if (this.#caption) {
        this.#caption.isWhole = true;
      }
    } else if (name === 'tr') {
      this.#endRow();
    } else if (name === 'td' || name === 'th') {
      this.#row?.cells.push(tidy(this.#cell ?? ''));
      this.#cell = undefined;
    }
  }

  append(text: string): void {
    if (this.#isInCaption) {
      if (this.#caption?.isWhole === false) {
        this.#caption.text += text;
      }
    } else if (this.#cell !== undefined) {
      this.#cell += text;
    } else if (/\S/.test(text)) {
      this.loose += text;
    }
  }

  finish(): Block {
    if (this.#first && this.#rows === 1) {
      this.#addLine(this.#first);
    }
    const caption = this.#caption && tidy(this.#caption.text);
    if (this.#caption && caption) {
      this.#addCaption(caption, this.#caption.line);
    }
    this.#joinLines();
    const position = this.#marks.positions[0] ?? 1;
    return { text: this.#texts.join('\n'), position, kind: 'lines', marks: this.#marks };
  }

  /** The caption is the first line. */
  #addCaption(caption: string, line: number): void {
    const { ats, positions } = this.#marks;
    ats.forEach((at, i) => {
      ats[i] = at + caption.length + 1;
    });
    ats.unshift(0);
    positions.unshift(line);
    this.#texts.unshift(caption);
  }

  /** The names of the columns are known when there is a second row. */
  #beginRow(line: number): void {
    this.#rows++;
    this.#row = { cells: [], line, isHeader: true };
    const first = this.#first;
    if (this.#rows === 1) {
      this.#first = this.#row;
    } else if (this.#rows === 2 && first) {
      if (first.isHeader) {
        this.#names = first.cells;
      }
      if (this.#names.length === 0) {
        this.#addLine(first);
      }
    }
  }

  #endRow(): void {
    if (this.#row && this.#rows > 1) {
      this.#addLine(this.#row);
    }
    this.#row = undefined;
  }

  #addLine({ cells, line }: Row): void {
    const text = rowText(this.#names, cells);
    if (text === '') {
      return;
    }
    this.#marks.ats.push(this.#length);
    this.#marks.positions.push(line);
    this.#length += text.length + 1;
    this.#lines.push(text);
    if (this.#lines.length === maxLines) {
      this.#joinLines();
    }
  }

  #joinLines(): void {
    if (this.#lines.length > 0) {
      this.#texts.push(this.#lines.join('\n'));
    }
    this.#lines = [];
  }
}

function tidy(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, ' ').trim();
}

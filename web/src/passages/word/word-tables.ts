// The tables of a Word document. A row is a line, and names its columns.
import type { SectionBuilder } from '../sections/section-builder.ts';
import { rowText } from '../sections/table-lines.ts';
import type { Attributes } from './xml-scanner.ts';

/** Rows are given in parts of so many code units. */
const maxUnits = 1 << 18;

export class WordTables {
  readonly #sections: SectionBuilder;
  /** Tables in cells are text of these. */
  #depth = 0;
  #names: readonly string[] = [];
  /** Whether the first row was read, and whether it has the names of the columns. */
  #hasRows = false;
  #isHeaderMarked = false;
  #isFirstRowSpecial = false;
  #cells: string[] = [];
  #lines: string[] = [];
  #units = 0;

  constructor(sections: SectionBuilder) {
    this.#sections = sections;
  }

  get isOpen(): boolean {
    return this.#depth > 0;
  }

  open(tag: string, attributes: Attributes): void {
    if (tag === 'w:tbl') {
      this.#depth++;
      if (this.#depth === 1) {
        this.#names = [];
        this.#hasRows = false;
        this.#isHeaderMarked = false;
        this.#isFirstRowSpecial = false;
      }
    } else if (tag === 'w:tblHeader') {
      this.#isHeaderMarked = true;
    } else if (tag === 'w:tblLook') {
      this.#isFirstRowSpecial = attributes['w:firstRow'] === '1';
    } else if (tag === 'w:tc' && this.#depth === 1) {
      this.#cells.push('');
    }
  }

  close(tag: string): void {
    if (tag === 'w:tr' && this.#depth === 1) {
      this.#endRow();
    } else if (tag === 'w:tbl' && this.#depth > 0) {
      this.#depth--;
      if (this.#depth === 0) {
        this.#endTable();
      }
    }
  }

  /** A paragraph in a cell. */
  add(text: string): void {
    const last = this.#cells.length - 1;
    if (last >= 0 && text !== '') {
      this.#cells[last] = `${this.#cells[last]} ${text}`.trimStart();
    }
  }

  #endRow(): void {
    const cells = this.#cells;
    this.#cells = [];
    const isFirst = !this.#hasRows;
    this.#hasRows = true;
    if (isFirst && this.#isHeader(cells)) {
      this.#names = cells;
      return;
    }
    const line = rowText(this.#names, cells);
    this.#lines.push(line);
    this.#units += line.length;
    if (this.#units > maxUnits) {
      this.#give();
    }
  }

  /** Whether the first row names the columns. Word says of most tables that their first row is special, also of lists of names
   *  and values. */
  #isHeader(cells: readonly string[]): boolean {
    return this.#isHeaderMarked || (this.#isFirstRowSpecial && cells.length > 2);
  }

  #endTable(): void {
    if (this.#lines.length === 0) {
      this.#lines.push(rowText([], this.#names));
    }
    this.#give();
  }

  #give(): void {
    const text = this.#lines.filter((line) => line !== '').join('\n');
    this.#sections.addBlock({ text, position: 1, kind: 'lines' });
    this.#lines = [];
    this.#units = 0;
  }
}

// Marked's rules for blocks. Its work grows with the square of some parts, so these are limited. Long lists and tables come
// in parts.
import { Tokenizer, type Tokens } from 'marked';
import { AmbryError } from '../../base/errors.ts';

/** How often a quotation may go on without its marker. A new quotation begins then. */
const maxLazyRuns = 100;
/** A table may have so many cells without text, and one more for each code unit. */
const freeCells = 100_000;
/** Each cell is many objects. */
const maxColumns = 16_384;
/** A table is cut after so many times this length. Passages do not go beyond this length anyway (`maxBatchUnits`). */
const partsOfTable = 8;
/** Most tables are shorter. */
const shortTableUnits = 1 << 12;
/** Lines of a paragraph that are looked at for an underline before the pattern is tried. */
const maxLinesAhead = 8;

export interface TablePart extends Tokens.Table {
  /** Set if the table begins in an earlier part. The header is not in `raw` then. */
  readonly goesOn?: boolean;
}

/** Thrown before a block of the document, to leave marked's loop. */
export class Pause {
  readonly rest: string;

  constructor(rest: string) {
    this.rest = rest;
  }
}

export class BoundedTokenizer extends Tokenizer {
  /** The length of the rest where a part ends. */
  pauseAt = 0;
  readonly #units: number;
  /** Lists and quotes around the text. */
  #depth = 0;
  /** The length of the rest where a list is cut, and where it was. */
  #listEnd = 0;
  #cutAt = 0;
  /** Where a list was cut, and the number of its next item. */
  #listRest: { readonly length: number; readonly number: number } | undefined;
  /** Where a table was cut, and its header. */
  #tableRest: { readonly length: number; readonly head: string } | undefined;

  constructor(units: number) {
    super();
    this.#units = units;
  }

  /** Marked looks for each item of a list with a pattern. It finds none where the list is cut. */
  cutLists(): void {
    const { other } = this.rules;
    const listItemRegex = (bullet: string) => {
      const item = other.listItemRegex(bullet);
      if (this.#depth > 1) {
        return item;
      }
      return Object.assign(item, { exec: (source: string) => this.#itemIn(source, item) });
    };
    this.rules = { ...this.rules, other: { ...other, listItemRegex } };
  }

  #itemIn(source: string, item: RegExp): RegExpExecArray | null {
    const found = RegExp.prototype.exec.call(item, source);
    if (!found || source.length > this.#listEnd) {
      return found;
    }
    this.#cutAt = source.length;
    return null;
  }

  /** Marked calls this before each block. */
  override space(source: string): Tokens.Space | undefined {
    if (this.#depth === 0 && source.length <= this.pauseAt && !this.#isInParagraph()) {
      throw new Pause(source);
    }
    return super.space(source);
  }

  /** What follows a paragraph may belong to it. */
  #isInParagraph(): boolean {
    return this.lexer.state.lastToken?.type === 'paragraph';
  }

  /** A long list comes in parts too. */
  override list(source: string): Tokens.List | undefined {
    if (this.#depth > 0) {
      return this.#inside(() => super.list(source));
    }
    const goesOn = this.#listRest?.length === source.length ? this.#listRest : undefined;
    this.#listRest = undefined;
    this.#listEnd = source.length - this.#units;
    this.#cutAt = 0;
    const list = this.#inside(() => super.list(source));
    if (!list) {
      return undefined;
    }
    if (goesOn) {
      list.start = goesOn.number;
    }
    const number = Number(list.start || 1) + list.items.length;
    if (this.#cutAt > 0) {
      this.#listRest = { length: this.#cutAt, number };
    }
    return list;
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return this.#inside(() => super.blockquote(source.slice(0, endOfQuote(source))));
  }

  #inside<T>(read: () => T): T {
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }

  /** A long table comes in parts, and each has the header. */
  override table(source: string): TablePart | undefined {
    const goesOn = this.#tableRest?.length === source.length ? this.#tableRest : undefined;
    this.#tableRest = undefined;
    const rowsBegin = goesOn ? 0 : endOfHeader(source);
    if (rowsBegin < 0) {
      return undefined;
    }
    const head = goesOn?.head ?? '';
    const short = source.slice(0, rowsBegin + shortTableUnits);
    const first = this.#tableIn(head, short);
    const isShort = !first || first.raw.length < short.length - 1;
    const part = isShort ? short : source.slice(0, this.#endOfTable(source, rowsBegin));
    const table = isShort ? first : this.#tableIn(head, part);
    if (table && part.length < source.length && table.raw.length === part.length - 1) {
      const length = source.length - part.length;
      this.#tableRest = { length, head: head || source.slice(0, rowsBegin) };
    }
    return goesOn && table ? Object.assign(table, { goesOn: true }) : table;
  }

  /** Missing cells of a row are filled in. */
  #tableIn(head: string, rows: string): Tokens.Table | undefined {
    const source = head + rows;
    const header = source.slice(0, source.indexOf('\n')).trim();
    const columns = header.replace(/^\||\|$/g, '').split('|').length;
    if (columns > Math.sqrt(freeCells)) {
      checkCells(source, columns);
    }
    const table = super.table(source);
    if (table) {
      table.raw = table.raw.slice(head.length);
    }
    return table;
  }

  /** Where a table is cut: before a line that begins with a bar, which is a row after any other. */
  #endOfTable(source: string, rowsBegin: number): number {
    const limit = rowsBegin + this.#units * partsOfTable;
    if (this.#depth > 0 || limit >= source.length) {
      return source.length;
    }
    const found = source.slice(rowsBegin, limit).lastIndexOf('\n|');
    return found < 0 ? source.length : rowsBegin + found + 1;
  }

  /** A heading that is underlined. The pattern is slow, so it sees only what may be one. */
  override lheading(source: string): Tokens.Heading | undefined {
    let end = source.indexOf('\n');
    for (let line = 0; line < maxLinesAhead; line++) {
      const start = lineStart(source, end);
      if (start === '' || start === '\n') {
        return undefined;
      }
      if (start === '=' || start === '-') {
        break;
      }
      end = source.indexOf('\n', end + 1);
    }
    return super.lheading(source);
  }
}

/** Where the rows of a table begin, or -1 if the second line is not that of a table. */
function endOfHeader(source: string): number {
  const headerEnd = source.indexOf('\n');
  if (!/[|:-]/.test(lineStart(source, headerEnd))) {
    return -1;
  }
  const found = source.indexOf('\n', headerEnd + 1);
  const end = found < 0 ? source.length : found;
  const dashes = source.slice(headerEnd + 1, end);
  return /^[|: -]+$/.test(dashes) && /[|:]/.test(dashes) ? Math.min(end + 1, source.length) : -1;
}

/** The first sign of the line after `lineEnd`, behind three spaces at most. Empty if there is no line. */
function lineStart(source: string, lineEnd: number): string {
  if (lineEnd < 0) {
    return '';
  }
  let at = lineEnd + 1;
  while (source[at] === ' ' && at < lineEnd + 4) {
    at++;
  }
  return source[at] ?? '';
}

/** Where a quotation ends that goes on without its marker too often: `> a`, `b`, `> c`, `d`, … */
function endOfQuote(source: string): number {
  if (!/^ {0,3}>/.test(source)) {
    return source.length;
  }
  let runs = 0;
  let wasQuote = true;
  for (let at = 0; at < source.length; ) {
    const found = source.indexOf('\n', at);
    const end = found < 0 ? source.length : found;
    const isQuote = /^ {0,3}>/.test(source.slice(at, Math.min(end, at + 5)));
    if (!isQuote && source.slice(at, end).trim() === '') {
      return source.length;
    }
    if (isQuote && !wasQuote && ++runs > maxLazyRuns) {
      return at;
    }
    wasQuote = isQuote;
    at = end + 1;
  }
  return source.length;
}

function checkCells(source: string, columns: number): void {
  if (columns > maxColumns) {
    throw tooManyColumns(columns);
  }
  const end = source.indexOf('\n\n');
  const table = end < 0 ? source : source.slice(0, end);
  const rows = table.split('\n').length;
  if (rows * columns <= freeCells + 2 * table.length) {
    return;
  }
  const message = `A table has ${columns} columns and ${rows} rows, and most cells are missing. Fill them in, or split the table.`;
  throw new AmbryError('LimitExceeded', message);
}

function tooManyColumns(columns: number): AmbryError {
  const message = `A table has ${columns} columns. At most ${maxColumns} are read. Split it into smaller tables.`;
  return new AmbryError('LimitExceeded', message);
}

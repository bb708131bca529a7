// Splits CSV (RFC 4180) into rows and cells. A quote within a cell without quotes is text, and so is what stands between
// the end of a quoted part and the next delimiter.

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;

export class CsvScanner {
  /** The index of the row that was read last. */
  row = -1;
  /** The number of cells in it, kept or not. */
  cells = 0;
  /** Where the cell begins that is read. */
  at = 0;
  /** Thrown for a quote without end. */
  readonly openQuote = new Error('a quote without end');
  readonly #text: string;
  readonly #delimiter: number;
  readonly #endsInReturn: boolean;

  /** Begins at the index `at`. If `endsInReturn`, a carriage return ends a line by itself, too. */
  constructor(text: string, delimiter: string, endsInReturn = false, at = 0) {
    this.#text = text;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#endsInReturn = endsInReturn;
    this.at = at;
  }

  /** Returns the next row, without an empty cell at its end, or undefined at the end. Keeps `most` cells. */
  next(most: number): string[] | undefined {
    if (this.at >= this.#text.length) {
      return undefined;
    }
    this.row++;
    this.cells = 0;
    const row: string[] = [];
    while (!this.#isAtLineEnd()) {
      const cell = this.#cell();
      if (this.cells++ < most) {
        row.push(cell);
      }
      if (this.#text.charCodeAt(this.at) === this.#delimiter) {
        this.at++;
      }
    }
    const isReturn = this.#text.charCodeAt(this.at) === carriageReturn;
    this.at += isReturn && this.#isBeforeLineFeed(this.at) ? 2 : 1;
    return row;
  }

  #isAtLineEnd(): boolean {
    if (this.at >= this.#text.length) {
      return true;
    }
    return this.#isLineEnd(this.at);
  }

  #isLineEnd(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    const isReturn = code === carriageReturn;
    return code === lineFeed || (isReturn && (this.#endsInReturn || this.#isBeforeLineFeed(at)));
  }

  #isBeforeLineFeed(at: number): boolean {
    return this.#text.charCodeAt(at + 1) === lineFeed;
  }

  #cell(): string {
    const text = this.#text;
    const begin = this.at;
    const quoted = text.charCodeAt(begin) === quote ? this.#quotedPart() : '';
    const rest = this.at;
    let at = rest;
    for (; at < text.length; at++) {
      if (text.charCodeAt(at) === this.#delimiter || this.#isLineEnd(at)) {
        break;
      }
    }
    this.at = at;
    return quoted + text.slice(rest, at);
  }

  #quotedPart(): string {
    const text = this.#text;
    const begin = this.at + 1;
    let hasQuotes = false;
    for (let at = text.indexOf('"', begin); at >= 0; at = text.indexOf('"', at + 2)) {
      if (text.charCodeAt(at + 1) === quote) {
        hasQuotes = true;
        continue;
      }
      this.at = at + 1;
      const cell = text.slice(begin, at);
      return hasQuotes ? cell.replaceAll('""', '"') : cell;
    }
    throw this.openQuote;
  }
}

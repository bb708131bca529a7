// How many parts each page has, and how many passages each part. Postings name parts and rows name passages; this table
// says to which page they belong.
import { ByteReader, ByteWriter } from './bytes.ts';

/** For each page, the numbers of passages of its parts. */
export function encodePageTable(pages: readonly (readonly number[])[]): Uint8Array {
  const writer = new ByteWriter();
  for (const parts of pages) {
    writer.integer(parts.length);
    for (const passages of parts) writer.integer(passages);
  }
  return writer.finish();
}

export interface TableSizes {
  readonly pages: number;
  readonly parts: number;
  readonly rows: number;
}

export class PageTable {
  /** The page of each part. */
  readonly #pageOf: Uint32Array;
  /** The first passage of each part, and the number of all of them. */
  readonly #firstRow: Uint32Array;

  constructor(bytes: Uint8Array, { pages, parts, rows }: TableSizes, path: string) {
    const reader = new ByteReader(bytes, path);
    this.#pageOf = new Uint32Array(parts);
    this.#firstRow = new Uint32Array(parts + 1);
    let part = 0;
    let row = 0;
    for (let page = 0; page < pages; page++) {
      for (let left = reader.integerUpTo(parts - part); left > 0; left--) {
        this.#pageOf[part] = page;
        row += reader.integerUpTo(rows - row);
        this.#firstRow[++part] = row;
      }
    }
    if (part !== parts || row !== rows) throw reader.bad('It does not fit the manifest.');
    reader.expectEnd();
  }

  pageOf(part: number): number {
    return this.#pageOf[part] as number;
  }

  /** The part of a passage, and its place in the part. */
  placeOf(row: number): { readonly part: number; readonly passage: number } {
    let low = 0;
    let high = this.#pageOf.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#firstRow[middle] as number) <= row) low = middle;
      else high = middle - 1;
    }
    return { part: low, passage: row - (this.#firstRow[low] as number) };
  }
}

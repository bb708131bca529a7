// How many parts each page has. Postings and lists of vectors name parts; this table says to which page they belong.
import { ByteReader, ByteWriter } from './bytes.ts';

/** For each page, the number of its parts. */
export function encodePageTable(pages: readonly number[]): Uint8Array {
  const writer = new ByteWriter();
  for (const parts of pages) {
    writer.integer(parts);
  }
  return writer.finish();
}

interface TableSizes {
  readonly pages: number;
  readonly parts: number;
}

export class PageTable {
  /** The page of each part. */
  readonly #pageOf: Uint32Array;
  /** The number of parts of each page. */
  readonly #sizes: Uint32Array;

  constructor(bytes: Uint8Array, { pages, parts }: TableSizes, path: string) {
    const reader = new ByteReader(bytes, path);
    this.#pageOf = new Uint32Array(parts);
    this.#sizes = new Uint32Array(pages);
    let part = 0;
    for (let page = 0; page < pages; page++) {
      const end = part + reader.integerUpTo(parts - part);
      this.#pageOf.fill(page, part, end);
      this.#sizes[page] = end - part;
      part = end;
    }
    if (part !== parts) {
      throw reader.bad('It does not fit the manifest.');
    }
    reader.expectEnd();
  }

  partsOf(page: number): number {
    return this.#sizes[page] as number;
  }

  pageOf(part: number): number {
    return this.#pageOf[part] as number;
  }
}

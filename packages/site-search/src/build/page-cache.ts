// Keeps the passages and the vectors of pages between two runs, in a file outside the site. A page is found by the hash of
// its text and of what the vectors were made with. A file that is damaged, or made by other rules, counts as none.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AmbryError } from 'ambry/encoder';
import { ByteReader, ByteWriter } from '../shared/bytes.ts';
import type { CutPassage } from './cut-passages.ts';
import type { PageContent } from './html/page-content.ts';

/** Changes when the same page gives other passages or parts, or the file is laid out otherwise. */
const rules = 3;
const digestBytes = 32;
const keyBytes = 16;

export interface CachedPage {
  readonly passages: readonly CutPassage[];
  /** A row of `dim` values for each part. */
  readonly vectors: Float32Array;
}

export class PageCache {
  readonly #path: string | undefined;
  readonly #mark: string;
  #before = new Map<string, CachedPage>();
  readonly #pages = new Map<string, CachedPage>();

  private constructor(path: string | undefined, model: string, dim: number) {
    this.#path = path;
    this.#mark = JSON.stringify({ rules, model, dim });
  }

  /** `model` names the model by its hash. */
  static async open(path: string | undefined, model: string, dim: number): Promise<PageCache> {
    const cache = new PageCache(path, model, dim);
    const file = path === undefined ? undefined : await readFile(path).catch(() => undefined);
    // A Buffer's slices are views, and the rows need copies at even addresses.
    if (file) {
      cache.#before = cache.#pagesIn(new Uint8Array(file));
    }
    return cache;
  }

  /** Without a file, nothing is found again. */
  keyOf({ title, sections }: PageContent): string {
    if (this.#path === undefined) {
      return '';
    }
    const text = this.#mark + JSON.stringify([title, sections]);
    return createHash('sha256')
      .update(text)
      .digest('hex')
      .slice(0, keyBytes * 2);
  }

  get(key: string): CachedPage | undefined {
    return this.#pages.get(key) ?? this.#before.get(key);
  }

  /** Only pages that were set are kept. */
  set(key: string, page: CachedPage): void {
    if (this.#path !== undefined) {
      this.#pages.set(key, page);
    }
  }

  async save(): Promise<void> {
    const path = this.#path;
    if (path === undefined) {
      return;
    }
    const writer = new ByteWriter();
    writer.integer(this.#pages.size);
    for (const [key, page] of this.#pages) {
      writePage(writer, key, page);
    }
    const body = writer.finish();
    const digest = this.#digestOf(body);
    try {
      await mkdir(dirname(path), { recursive: true });
      const draft = `${path}.${process.pid}.part`;
      await writeFile(draft, Buffer.concat([digest, body]));
      await rename(draft, path);
    } catch (cause) {
      const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
      const message = `The cache ${path} cannot be written (${reason}).`;
      throw new AmbryError('NotFound', message, { path: 'options.cache', cause });
    }
  }

  /** The digest of a file's body, and of what its pages were made with. */
  #digestOf(body: Uint8Array): Buffer {
    return createHash('sha256').update(this.#mark).update(body).digest();
  }

  #pagesIn(file: Uint8Array): Map<string, CachedPage> {
    const pages = new Map<string, CachedPage>();
    const body = file.subarray(digestBytes);
    if (!this.#digestOf(body).equals(file.subarray(0, digestBytes))) {
      return pages;
    }
    const reader = new ByteReader(body, 'cache');
    for (let left = reader.integer(); left > 0; left--) {
      const key = Buffer.from(reader.bytes(keyBytes)).toString('hex');
      const passages: CutPassage[] = [];
      for (let count = reader.integer(); count > 0; count--) {
        const [section, start, end, tokens] = Array.from({ length: 4 }, () => reader.integer()) as [
          number,
          number,
          number,
          number,
        ];
        const weight = new Float64Array(reader.bytes(8).slice().buffer)[0] as number;
        passages.push({ section, start, end, weight, tokens });
      }
      const bytes = reader.bytes(reader.integer() * 4).slice();
      pages.set(key, { passages, vectors: new Float32Array(bytes.buffer) });
    }
    return pages;
  }
}

function writePage(writer: ByteWriter, key: string, { passages, vectors }: CachedPage): void {
  writer.bytes(Buffer.from(key, 'hex'));
  writer.integer(passages.length);
  for (const { section, start, end, weight, tokens } of passages) {
    for (const value of [section, start, end, tokens]) {
      writer.integer(value);
    }
    writer.bytes(new Uint8Array(new Float64Array([weight]).buffer));
  }
  writer.integer(vectors.length);
  writer.bytes(new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength));
}

// A file that comes over one plain GET: what was read so far is kept, so that parsing can go back and
// forth in the head; streaming then gives the kept bytes and the rest of the same response.
import type { ByteSource } from './byte-source.ts';
import { wrongLength } from './http-error.ts';

export async function plainSource(
  url: string,
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  size: number,
): Promise<ByteSource> {
  const source = new PlainSource(url, chunks, size);
  await source.fetchUpTo(Math.min(size, 1));
  return source;
}

class PlainSource implements ByteSource {
  readonly phase = 'download';
  readonly seekable = false;
  readonly size: number;
  readonly #url: string;
  readonly #chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** What came in, in order; emptied by the pass of stream(). */
  #kept: Uint8Array[] = [];
  #keptFrom = 0;
  #got = 0;

  constructor(url: string, chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>, size: number) {
    this.#url = url;
    this.#chunks = chunks;
    this.size = size;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    if (offset < this.#keptFrom) throw new Error('read before the place of a one-pass source');
    await this.fetchUpTo(offset + length);
    const bytes = new Uint8Array(length);
    let at = this.#keptFrom;
    for (const chunk of this.#kept) {
      const begin = Math.max(offset, at);
      const end = Math.min(offset + length, at + chunk.byteLength);
      if (begin < end) bytes.set(chunk.subarray(begin - at, end - at), begin - offset);
      at += chunk.byteLength;
    }
    return bytes;
  }

  async *stream(begin: number, end: number): AsyncGenerator<Uint8Array> {
    let at = this.#keptFrom;
    while (at < end) {
      const chunk = this.#kept.shift() ?? (await this.#next());
      const next = at + chunk.byteLength;
      this.#keptFrom = next;
      if (next > begin) yield chunk.subarray(Math.max(begin - at, 0), Math.min(next, end) - at);
      at = next;
    }
    if (end === this.size) await this.#expectEnd();
  }

  async close(): Promise<void> {
    this.#kept = [];
    await this.#chunks.return(undefined);
  }

  async fetchUpTo(end: number): Promise<void> {
    while (this.#got < end) this.#kept.push(await this.#next());
  }

  async #next(): Promise<Uint8Array> {
    const { done, value } = await this.#chunks.next();
    if (done) throw wrongLength(this.#url, this.#got, this.size);
    this.#got += value.byteLength;
    if (this.#got > this.size) throw wrongLength(this.#url, this.#got, this.size);
    return value;
  }

  /** A longer body than announced was compressed on the way, or is another file: not to be trusted. */
  async #expectEnd(): Promise<void> {
    while (this.#got <= this.size) {
      const { done, value } = await this.#chunks.next();
      if (done) return;
      this.#got += value.byteLength;
    }
    throw wrongLength(this.#url, this.#got, this.size);
  }
}

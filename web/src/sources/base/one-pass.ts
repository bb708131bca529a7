// A file that arrives once and in order: over one plain GET, or from a stream of the caller. The bytes that were read
// so far are kept, so the parser can go back to them. `stream` returns the kept bytes and then the rest. A read far
// ahead, or a request for an unknown size, spools the whole file.
import { AmbryError } from '../../base/errors.ts';
import { blobSource } from './blob.ts';
import type { ByteSource, SourceOptions } from './byte-source.ts';
import { joined, spool } from './stream.ts';

/** Headers are smaller. A read beyond this spools the whole file. */
const headAtMost = 16 << 20;
const none = new Uint8Array(0);

export class OnePass implements ByteSource {
  readonly seekable = false;
  readonly phase: ByteSource['phase'];
  size: number | undefined;
  readonly #chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>;
  readonly #options: SourceOptions;
  /** The bytes that were read so far. `stream` empties it. */
  #head = none;
  #got = 0;
  #whole: ByteSource | undefined;

  /** `chunks` must have `size` bytes if the size is known. */
  constructor(
    chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
    size: number | undefined,
    phase: ByteSource['phase'],
    options: SourceOptions,
  ) {
    this.#chunks = chunks;
    this.size = size;
    this.phase = phase;
    this.#options = options;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const end = offset + length;
    if (this.#whole || end > headAtMost) {
      return (await this.#spool()).read(offset, length);
    }
    if (end > this.#got) {
      const parts = [this.#head];
      for (let chunk = await this.#next(); chunk; ) {
        parts.push(chunk);
        chunk = this.#got < end ? await this.#next() : undefined;
      }
      this.#head = await joined(this.#got, parts);
    }
    return this.#head.subarray(offset, end);
  }

  async *stream(begin: number, end: number): AsyncGenerator<Uint8Array> {
    if (this.#whole) {
      return yield* this.#whole.stream(begin, end);
    }
    let chunk: Uint8Array | undefined = this.#head;
    this.#head = none;
    let at = 0;
    for (;;) {
      const next: number = at + chunk.byteLength;
      if (next > begin) {
        yield chunk.subarray(Math.max(begin - at, 0), Math.min(next, end) - at);
      }
      at = next;
      if (at >= end) {
        break;
      }
      chunk = await this.#next();
      if (!chunk) {
        throw endMismatch('Truncated', at, end);
      }
    }
    // The end of the stream is also where the length of a download is checked.
    const isEnd = end === (this.size ?? end);
    if (isEnd && (at > end || (await this.#next()))) {
      throw endMismatch('Mismatch', end, end);
    }
  }

  async measure(): Promise<number> {
    return this.size ?? (await this.#spool()).measure();
  }

  async close(): Promise<void> {
    this.#head = none;
    await this.#chunks.return(undefined);
  }

  async #spool(): Promise<ByteSource> {
    if (this.#whole) {
      return this.#whole;
    }
    const blob = await spool(this.#rest(), this.#options.onSpool);
    this.size = blob.size;
    this.#whole = blobSource(blob, this.#options.signal);
    return this.#whole;
  }

  async *#rest(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    yield this.#head;
    this.#head = none;
    yield* this.#chunks;
  }

  async #next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { done, value } = await this.#chunks.next();
    if (done) {
      this.size = this.#got;
      return undefined;
    }
    this.#got += value.byteLength;
    return value;
  }
}

function endMismatch(code: 'Truncated' | 'Mismatch', byteOffset: number, end: number): AmbryError {
  return new AmbryError(code, `The file ends before or after its ${end} bytes.`, { byteOffset });
}

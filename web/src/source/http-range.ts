// A file on a server that answers ranges: parsing asks for what it needs, loading is one long range.
import { AmbryError } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';
import {
  badAnswer,
  badStatus,
  brokenOff,
  gotHtml,
  looksLikeHtml,
  wrongLength,
} from './http-error.ts';
import { get } from './http-get.ts';
import { chunksOf } from './stream.ts';

/** The first request's size: enough for the headers of most files. */
export const kHeadBytes: number = 64 * 1024;

export interface ContentRange {
  readonly first: number;
  readonly last: number;
  /** Absent when the server does not know it (`*`). */
  readonly total: number | undefined;
}

/** `bytes 0-65535/146216` */
export function parseContentRange(header: string | null): ContentRange | undefined {
  const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header ?? '');
  if (!match) return undefined;
  const [, first, last, total] = match;
  return {
    first: Number(first),
    last: Number(last),
    total: total === '*' ? undefined : Number(total),
  };
}

export class RangeSource implements ByteSource {
  readonly phase = 'download';
  readonly seekable = true;
  readonly size: number;
  readonly #url: string;
  readonly #signal: AbortSignal;
  readonly #etag: string | null;
  #head: Uint8Array = new Uint8Array(0);

  private constructor(url: string, total: number, etag: string | null, signal: AbortSignal) {
    this.#url = url;
    this.size = total;
    this.#etag = etag;
    this.#signal = signal;
  }

  static async open(
    url: string,
    response: Response,
    total: number,
    signal: AbortSignal,
  ): Promise<RangeSource> {
    const source = new RangeSource(url, total, response.headers.get('etag'), signal);
    const head = new Uint8Array(Math.min(total, kHeadBytes));
    await source.#fill(head, source.#body(response, 0, head.byteLength));
    if (looksLikeHtml(head)) throw gotHtml(response, url);
    source.#head = head;
    return source;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    if (offset + length <= this.#head.byteLength)
      return this.#head.subarray(offset, offset + length);
    return this.#fill(new Uint8Array(length), this.stream(offset, offset + length));
  }

  async *stream(begin: number, end: number): AsyncGenerator<Uint8Array> {
    const have = this.#head.byteLength;
    if (begin < have) yield this.#head.subarray(begin, Math.min(end, have));
    const from = Math.max(begin, have);
    if (from >= end) return;
    const response = await get(this.#url, { range: `bytes=${from}-${end - 1}` }, this.#signal);
    if (response.status !== 206) {
      await response.body?.cancel();
      throw response.ok
        ? badAnswer(response, this.#url, 'The server stopped answering ranges')
        : badStatus(response, this.#url);
    }
    this.#expectSameFile(response, from);
    yield* this.#body(response, from, end);
  }

  /** Nothing is open between two calls: leaving a stream's loop cancels its request. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  #expectSameFile(response: Response, from: number): void {
    const range = parseContentRange(response.headers.get('content-range'));
    const sameTag = this.#etag === null || response.headers.get('etag') === this.#etag;
    if (range?.first === from && range.total === this.size && sameTag) return;
    const now = range?.total === undefined ? '' : `, now ${range.total}`;
    const message = `The file changed at the server while it was read (it had ${this.size} bytes${now}): ${this.#url}`;
    throw new AmbryError('Http', message);
  }

  /** The body of the answer for `[begin, end)`, with its length watched. */
  async *#body(response: Response, begin: number, end: number): AsyncGenerator<Uint8Array> {
    let got = 0;
    try {
      if (response.body) {
        for await (const chunk of chunksOf(response.body, this.#signal)) {
          got += chunk.byteLength;
          if (begin + got > end) throw wrongLength(this.#url, got, end - begin);
          yield chunk;
        }
      }
    } catch (error) {
      throw error instanceof TypeError
        ? brokenOff(this.#url, begin + got, this.size, error)
        : error;
    }
    if (begin + got < end) {
      throw brokenOff(this.#url, begin + got, this.size, new Error('the connection was closed'));
    }
  }

  async #fill(target: Uint8Array, chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
    let at = 0;
    for await (const chunk of chunks) {
      target.set(chunk, at);
      at += chunk.byteLength;
    }
    return target;
  }
}

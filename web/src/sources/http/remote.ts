// One file at one URL: asks for ranges of it, and goes on where a connection broke. Whether it is still
// the same file is told by its strong ETag, else by Last-Modified, and always by its size.
import { type AmbryError, isAbort, messageOf } from '../../errors.ts';
import { chunksOf } from '../stream.ts';
import {
  badAnswer,
  badStatus,
  brokenOff,
  changed,
  gotHtml,
  looksLikeHtml,
  MustRestart,
  unreachable,
  wrongLength,
} from './error.ts';
import { RetryPolicy } from './retry-policy.ts';

export interface ContentRange {
  /** Absent in an answer that says only how long the file is: `bytes * /146216`. */
  readonly first: number | undefined;
  /** Absent when the server does not know it (`*`). */
  readonly total: number | undefined;
}

/** `bytes 0-65535/146216` */
export function parseContentRange(header: string | null): ContentRange | undefined {
  const match = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(header ?? '');
  if (!match) return undefined;
  const [, first, total] = match;
  return {
    first: first === undefined ? first : Number(first),
    total: total === '*' ? undefined : Number(total),
  };
}

export function isEncoded(response: Response): boolean {
  return (response.headers.get('content-encoding') ?? 'identity') !== 'identity';
}

/** The size of the whole file, as far as this answer says it. */
export function sizeIn(response: Response): number | undefined {
  const range = parseContentRange(response.headers.get('content-range'));
  if (range) return range.total;
  const length = response.headers.get('content-length');
  if (response.status !== 200 || isEncoded(response) || length === null) return undefined;
  return Number(length);
}

/** What names this version of the file for `If-Range`: a strong ETag, or Last-Modified. */
export function versionIn(response: Response): string | undefined {
  const etag = response.headers.get('etag');
  if (etag?.startsWith('"')) return etag;
  return response.headers.get('last-modified') ?? undefined;
}

export class Remote {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly retryPolicy: RetryPolicy;
  size: number | undefined;
  /** See versionIn(). */
  version: string | undefined;
  #mayAskIfRange = true;

  constructor(url: string, signal: AbortSignal, retryPolicy: RetryPolicy = new RetryPolicy()) {
    this.url = url;
    this.signal = signal;
    this.retryPolicy = retryPolicy;
  }

  /** An answer that is not a passing failure; those are asked again. */
  async ask(headers: Record<string, string>): Promise<Response> {
    for (;;) {
      const response = await this.#get(headers);
      const { status } = response;
      if (status !== 408 && status !== 429 && status < 500) return response;
      await response.body?.cancel();
      // Seconds; a date, which it may be too, is not heeded.
      const atLeastMs = Number(response.headers.get('retry-after')) * 1000 || 0;
      await this.retryPolicy.wait(badStatus(response, this.url), this.signal, atLeastMs);
    }
  }

  /** Takes size and version from the answer that opened the file. */
  learn(response: Response): void {
    this.size = sizeIn(response);
    this.version = versionIn(response);
  }

  /**
   * The bytes `[begin, end)`, of which `first` is the answer if there is one already. Without `end` it
   * goes on to the end of the file. `resumes` says that the bytes before `begin` are held from before.
   */
  async *body(
    begin: number,
    end: number | undefined,
    first?: Response,
    resumes = false,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    let at = begin;
    let response = first;
    let broken: AmbryError | undefined;
    while (at !== end) {
      try {
        response ??= await this.#ask(at, end, resumes || broken !== undefined, broken);
        if (response.status === 416) break;
        let skip = response.status === 200 ? at : 0;
        const { body } = response;
        for await (const chunk of body
          ? chunksOf(body, this.signal, this.retryPolicy.stallMs)
          : []) {
          if (at === 0 && looksLikeHtml(chunk)) throw gotHtml(response, this.url);
          const fresh = chunk.subarray(Math.min(skip, chunk.byteLength));
          skip -= chunk.byteLength - fresh.byteLength;
          at += fresh.byteLength;
          if (end !== undefined && at > end) throw wrongLength(this.url, at - begin, end - begin);
          this.retryPolicy.reached(begin, at);
          if (fresh.byteLength > 0) yield fresh;
        }
        if (end === undefined) break;
        if (at < end) throw new TypeError('connection closed');
      } catch (error) {
        // What fetch and its streams throw when the network fails.
        if (!(error instanceof TypeError)) throw error;
        broken = brokenOff(this.url, at, this.size, error);
        await this.retryPolicy.wait(broken, this.signal);
        response = undefined;
      }
    }
    this.retryPolicy.succeeded();
  }

  /** The answer that continues a file of known version, of which `begin` bytes are held. */
  async resume(begin: number): Promise<Response> {
    return this.#ask(begin, this.size, true);
  }

  /** Asks for `[begin, end)`: 206 with it, 200 with all of the same file, or 416 at its very end. */
  async #ask(
    begin: number,
    end: number | undefined,
    resumes: boolean,
    broken?: AmbryError,
  ): Promise<Response> {
    const { url, size, version } = this;
    const range = `bytes=${begin}-${end === undefined ? '' : end - 1}`;
    const ifRange = resumes && this.#mayAskIfRange && version;
    let response: Response;
    try {
      response = await this.ask(ifRange ? { range, 'if-range': ifRange } : { range });
    } catch (error) {
      if (isAbort(error)) throw error;
      // Another origin may refuse the header; the answer's own version is compared in any case.
      this.#mayAskIfRange = false;
      throw new TypeError(messageOf(error));
    }
    const { status, ok } = response;
    const now = sizeIn(response);
    const isEnd = status === 416;
    if (isEnd && now === begin) return response;
    const found = versionIn(response);
    const first = parseContentRange(response.headers.get('content-range'))?.first ?? begin;
    // An answer with a part may leave the version out; one with the whole may not.
    const isSame = found === version || (status === 206 && found === undefined);
    // The whole file again is as good, if it is surely the same: what is there is passed over.
    const fits = status === 206 || begin === 0 || (resumes && found !== undefined);
    let problem: AmbryError;
    if (!ok && !isEnd) problem = badStatus(response, url);
    else if (isEnd || !isSame || first !== begin || (now ?? size) !== (size ?? now)) {
      problem = changed(url, size, now);
    } else if (fits) return response;
    else if (broken) problem = new MustRestart('Http', broken.message, { cause: broken });
    else problem = badAnswer(response, url, 'No range came');
    await response.body?.cancel();
    throw problem;
  }

  async #get(headers: Record<string, string>): Promise<Response> {
    try {
      return await fetch(this.url, { headers, signal: this.signal });
    } catch (error) {
      throw isAbort(error) ? error : unreachable(this.url, error);
    }
  }
}

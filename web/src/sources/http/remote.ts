// One file at one URL. Requests ranges of it, and continues after a broken connection. Bytes are joined only where the
// response says that it has the same version, with the same size, from the right byte on.
import { AmbryError, isAbort, messageOf } from '../../base/errors.ts';
import { RetryPolicy } from '../base/retry-policy.ts';
import { chunksOf, Stalled } from '../base/stream.ts';
import type { HubAccess } from '../base/wire.ts';
import { firstVersionIn, isStrong, partIn, sizeIn, versionIn } from './answer.ts';
import {
  badAnswer,
  badStatus,
  brokenOff,
  changed,
  gotHtml,
  looksLikeHtml,
  mustRestart,
  unproven,
  unreachable,
  wrongLength,
} from './error.ts';
import { fetchWithTimeout } from './fetch-with-timeout.ts';
import { isHttpUrl } from './url.ts';

/** The headers for a whole file. Requests for ranges have this one from `fetch`. Packed bytes often have no size and only a
 *  weak ETag. Browsers do not let a page set it. */
export const asItIs: Readonly<Record<string, string>> = { 'accept-encoding': 'identity' };

export class Remote {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly retryPolicy: RetryPolicy;
  readonly hub: HubAccess | undefined;
  size: number | undefined;
  /** See versionIn(). */
  version: string | undefined;
  #mayAskIfRange = true;

  constructor(
    url: string,
    signal: AbortSignal,
    retryPolicy: RetryPolicy = new RetryPolicy(),
    hub?: HubAccess,
  ) {
    this.url = url;
    this.hub = hub;
    this.signal = signal;
    this.retryPolicy = retryPolicy;
  }

  /** Returns a response that is not a temporary failure. After a temporary failure the request is made again. */
  async ask(headers: Readonly<Record<string, string>>): Promise<Response> {
    for (;;) {
      const response = await this.#get(headers);
      const { status } = response;
      if (status !== 408 && status !== 429 && status < 500) {
        return response;
      }
      await response.body?.cancel();
      // Only the form in seconds is supported. The header may also be a date.
      const atLeastMs = Number(response.headers.get('retry-after')) * 1000 || 0;
      await this.retryPolicy.wait(this.badStatus(response), this.signal, atLeastMs);
    }
  }

  badStatus(response: Response): AmbryError {
    return badStatus(response, this.url, this.hub !== undefined);
  }

  /** Stores size and version from the response that opened the file. */
  setFacts(response: Response): void {
    this.size = sizeIn(response);
    this.version = firstVersionIn(response);
  }

  /** The bytes `[begin, end)`, or up to the end of the file without `end`. `first` is the first response, if there is
   *  one already. `resumes` means that the caller has the bytes before `begin`. */
  async *body(
    begin: number,
    end: number | undefined,
    first?: Response,
    resumes = false,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const { url, signal, retryPolicy } = this;
    let at = begin;
    let stop = end;
    let response = first;
    let broken: AmbryError | undefined;
    while (at !== stop) {
      try {
        response ??= await this.#ask(at, stop, resumes || broken !== undefined, broken);
        if (response.status === 416) {
          break;
        }
        stop ??= this.size;
        for await (const chunk of this.#fresh(response, at, stop)) {
          at += chunk.byteLength;
          retryPolicy.reached(begin, at);
          yield chunk;
        }
        if (stop === undefined) {
          break;
        }
        if (at < stop) {
          throw new TypeError('connection closed');
        }
      } catch (error) {
        // `fetch` and its streams throw a TypeError when the network fails.
        if (!(error instanceof TypeError)) {
          throw error;
        }
        broken = brokenOff(url, at, this.size, error);
        // A server that is silent for a second time will stay so.
        await retryPolicy.wait(broken, signal, 0, error instanceof Stalled ? 1 : undefined);
        response = undefined;
      }
    }
    retryPolicy.succeeded();
  }

  /** The bytes of the response from byte `at` of the file on, up to `stop`. A whole file has bytes before and after
   *  these; a part ends where its Content-Range says. */
  async *#fresh(
    response: Response,
    at: number,
    stop: number = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const { url, size = Number.POSITIVE_INFINITY } = this;
    const isWhole = response.status === 200;
    const end = isWhole ? size : Math.min(partIn(response)?.end ?? stop, stop);
    let from = isWhole ? 0 : at;
    const stream = response.body;
    const chunks = stream ? chunksOf(stream, this.signal, this.retryPolicy.stallMs) : [];
    for await (const chunk of chunks) {
      if (from === 0 && looksLikeHtml(chunk)) {
        throw gotHtml(response, url);
      }
      const next = from + chunk.byteLength;
      if (next > end) {
        throw wrongLength(url, next - at, end - at);
      }
      if (next > at && from < stop) {
        yield chunk.subarray(Math.max(at - from, 0), stop - from);
      }
      from = next;
      // What follows is not wanted. Otherwise the end is where a body that is too long shows.
      if (from >= stop && stop < end) {
        return;
      }
    }
    if (from < at) {
      throw changed(url, at, from);
    }
  }

  /** The response that continues a file of known version from byte `begin`. */
  async resume(begin: number): Promise<Response> {
    try {
      return await this.#ask(begin, this.size, true);
    } catch (error) {
      throw error instanceof TypeError ? brokenOff(this.url, begin, this.size, error) : error;
    }
  }

  /** Requests `[begin, end)`. The response is 206 with the range, 200 with the whole file, or 416 at the end of the
   *  file, and always of the version that was begun. */
  async #ask(
    begin: number,
    end: number | undefined,
    resumes: boolean,
    broken?: AmbryError,
  ): Promise<Response> {
    const { url, version } = this;
    // Without a version, nothing tells whether the rest is of the same file.
    if (begin > 0 && version === undefined) {
      throw mustRestart(broken ?? unproven(url));
    }
    const range = `bytes=${begin}-${end === undefined ? '' : end - 1}`;
    const ifRange = resumes && this.#mayAskIfRange && isStrong(version) ? version : undefined;
    let response = await this.#askAgain(ifRange ? { range, 'if-range': ifRange } : { range });
    let verdict = this.#judge(response, begin);
    if (verdict === 'unproven' && resumes && response.status !== 200) {
      // The whole file can be joined: the bytes before `begin` are skipped.
      await response.body?.cancel();
      response = await this.#askAgain(asItIs);
      verdict = this.#judge(response, begin);
    }
    const fits = verdict === 'same' && (response.status !== 200 || begin === 0 || resumes);
    if (fits) {
      this.size ??= sizeIn(response);
      return response;
    }
    await response.body?.cancel();
    if (verdict === 'changed') {
      throw changed(url, this.size, sizeIn(response));
    }
    if (verdict === 'unproven') {
      throw mustRestart(broken ?? unproven(url));
    }
    throw verdict === 'bad' ? this.badStatus(response) : badAnswer(response, url, 'No range came');
  }

  /** Whether the response is of the version that was begun, and starts where it was asked to. */
  #judge(response: Response, begin: number): 'same' | 'changed' | 'unproven' | 'bad' {
    const { status } = response;
    const { size, version } = this;
    if (![200, 206, 416].includes(status)) {
      return 'bad';
    }
    const found = versionIn(response);
    const total = sizeIn(response);
    // Errors often have no version, and hosts add one of their own to their pages.
    const isOther = found !== undefined && found !== version;
    if (isOther || (total ?? size) !== (size ?? total)) {
      return 'changed';
    }
    const part = partIn(response);
    const starts =
      status === 200 ||
      (status === 416 ? total === begin : part?.first === begin && (total ?? size) !== undefined);
    return starts && found === version ? 'same' : 'unproven';
  }

  /** A request after the first one. If it fails, the connection counts as broken. */
  async #askAgain(headers: Readonly<Record<string, string>>): Promise<Response> {
    try {
      return await this.ask(headers);
    } catch (error) {
      if (isAbort(error)) {
        throw error;
      }
      // Another origin may not allow If-Range. The version in the response is compared in any case.
      this.#mayAskIfRange = false;
      const { cause } = error as Error;
      throw cause instanceof Stalled ? cause : new TypeError(messageOf(error));
    }
  }

  async #get(headers: Readonly<Record<string, string>>): Promise<Response> {
    const { url, signal, retryPolicy } = this;
    const { stallMs } = retryPolicy;
    const token = this.hub?.token;
    // Chromium answers ranges of `chrome-extension:` with status 200 and the part alone.
    const asked = isHttpUrl(url) ? headers : {};
    // `fetch` leaves this header out when it follows a redirect to another origin.
    const all = token ? { ...asked, authorization: `Bearer ${token}` } : asked;
    try {
      return await fetchWithTimeout(url, { headers: all, signal, stallMs });
    } catch (error) {
      // A variable of the environment that is no proxy has an error of its own.
      throw isAbort(error) || error instanceof AmbryError ? error : unreachable(url, error);
    }
  }
}

// Fetches the files of an index.
import type { Encoder, Progress } from 'ambry/static-encoder';
import { AmbryError } from 'ambry/terms';
import { fileName, filePath, manifestName, probe } from '../../shared/file-name.ts';
import { type Manifest, type ModelInfo, parseManifest } from '../../shared/manifest.ts';
import type { FetchFile, FetchInit, SiteSource } from '../base/types.ts';
import { hasRange, KeptPieces } from './kept-pieces.ts';
import {
  type ByteRange,
  bytesOf,
  type Piece,
  piecesOf,
  type RangeMode,
  rangeHeader,
  rangeModes,
  requestsFor,
} from './ranges.ts';
import { readBody } from './read-body.ts';
import { StaleFile } from './stale-file.ts';

export class SiteFiles {
  /** The address of the folder, where there is one. */
  readonly base: URL | undefined;
  readonly #fetch: FetchFile;
  readonly #timeout: number;
  #rangeMode: Promise<RangeMode> | undefined;
  readonly #kept = new KeptPieces();

  constructor(source: SiteSource, timeout: number) {
    this.#timeout = timeout;
    if (typeof source === 'object' && 'fetch' in source) {
      this.#fetch = (path, init) => source.fetch(path, init);
    } else {
      const base = folderUrl(source);
      this.base = base;
      this.#fetch = (path, init) => fetch(new URL(path, base), init);
    }
  }

  /** `isAgain` asks the server and not a cache on the way. */
  async manifest(isAgain: boolean): Promise<Manifest> {
    const response = await this.#response(manifestName, isAgain ? 'reload' : 'no-cache');
    if (!response.ok) {
      const message = `The search index has no ${manifestName} (status ${response.status}).`;
      throw new AmbryError('Http', message, { path: manifestName });
    }
    const bytes = await this.#body(response, 'manifestBytes', manifestName);
    return parseManifest(new TextDecoder().decode(bytes));
  }

  /** Checks that the file is the one that the name stands for. Texts of a group are checked by their content. */
  async file(
    path: string,
    name: string | undefined,
    isAgain: boolean,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#response(path, isAgain ? 'reload' : 'default');
    checkStatus(response, path);
    const bytes = await this.#body(response, 'fileBytes', path);
    if (name !== undefined && !(await hasName(bytes, name))) {
      throw new StaleFile(path, 'it holds something else', 'Mismatch');
    }
    return bytes;
  }

  /** Whether the host answers range requests. It is asked once, for a small file. */
  rangeMode(): Promise<RangeMode> {
    this.#rangeMode ??= this.#probe().catch(() => rangeModes.none);
    return this.#rangeMode;
  }

  /** The bytes of each range of a file; undefined if the host does not answer range requests. */
  async ranges(
    path: string,
    wanted: readonly ByteRange[],
    isAgain: boolean,
  ): Promise<Uint8Array<ArrayBuffer>[] | undefined> {
    for (let mode = await this.rangeMode(); mode !== rangeModes.none; ) {
      const kept = this.#kept.of(path);
      const missing = wanted.filter((range) => !hasRange(kept, range));
      const asked = requestsFor(missing, mode);
      const answers = asked.map((list) => this.#pieces(path, list, isAgain));
      const pieces = (await Promise.all(answers)).flat();
      const isBusy = pieces.includes(undefined);
      const arrived = pieces.filter((piece) => piece !== undefined);
      const found = bytesOf(wanted, [...kept, ...arrived]);
      if (mode === rangeModes.one) {
        this.#kept.add(path, arrived);
      }
      if (found || isBusy) {
        return found;
      }
      // What is on the way may do less than the host, such as a worker that keeps whole files.
      mode = mode === rangeModes.several ? rangeModes.one : rangeModes.none;
      this.#rangeMode = Promise.resolve(mode);
    }
    return undefined;
  }

  /** The host sent other bytes than those that were asked for. It is asked for whole files from now on. */
  refuseRanges(): void {
    this.#rangeMode = Promise.resolve(rangeModes.none);
    this.#kept.clear();
  }

  /** Opens the model. */
  async model(
    { name, url, sha256 }: ModelInfo,
    keep: boolean,
    onProgress: (progress: Progress) => void,
  ): Promise<Encoder> {
    const path = url ?? filePath.model(name);
    // Most indexes have no model.
    const { open } = await import('ambry/static-encoder');
    if (!this.base) {
      return open(await this.file(path, name, false), { onProgress });
    }
    const options = { cache: keep, onProgress, ...(sha256 !== undefined && { sha256 }) };
    return open(new URL(path, this.base).href, options);
  }

  /** None if the host does not answer such a request. An undefined one if it did not answer this time. */
  async #pieces(
    path: string,
    asked: readonly ByteRange[],
    isAgain: boolean,
  ): Promise<(Piece | undefined)[]> {
    try {
      const response = await this.#response(path, isAgain ? 'reload' : 'default', asked);
      checkIsThere(response, path);
      const { status } = response;
      if (status === tooManyRequests || status >= firstServerError) {
        await response.body?.cancel();
        return [undefined];
      }
      return await piecesOf(response, asked, path);
    } catch (error) {
      // A whole file may come where a range does not. If it does not either, its error says why.
      if (error instanceof StaleFile || isLimit(error) || isTimeout(error)) {
        throw error;
      }
      return [undefined];
    }
  }

  async #probe(): Promise<RangeMode> {
    // Other origins do not show the headers of answers, and are asked for leave first.
    if (typeof document !== 'undefined' && this.base?.origin !== document.location.origin) {
      return rangeModes.none;
    }
    const { path, ranges } = probe;
    const response = await this.#response(path, 'default', ranges);
    const hasOne = response.headers.get('accept-ranges') === 'bytes' && response.ok;
    const pieces = await piecesOf(response, ranges, path);
    // Each byte of the file says where it is.
    const isRight = pieces.every(({ from, bytes }) => bytes.every((byte, i) => byte === from + i));
    if (pieces.length > 1 && isRight && bytesOf(ranges, pieces)) {
      return rangeModes.several;
    }
    return isRight && (hasOne || pieces.length > 0) ? rangeModes.one : rangeModes.none;
  }

  async #response(
    path: string,
    cache: FetchInit['cache'],
    ranges?: readonly ByteRange[],
  ): Promise<Response> {
    const signal = AbortSignal.timeout(this.#timeout);
    try {
      const headers = ranges && { headers: { range: rangeHeader(ranges) } };
      return await this.#fetch(path, { cache, signal, ...headers });
    } catch (cause) {
      throw failed(path, cause);
    }
  }

  async #body(response: Response, limit: 'manifestBytes' | 'fileBytes', path: string) {
    return this.#received(path, readBody(response, limit, path));
  }

  async #received<T>(path: string, body: Promise<T>): Promise<T> {
    try {
      return await body;
    } catch (cause) {
      if (cause instanceof AmbryError) {
        throw cause;
      }
      throw failed(path, cause);
    }
  }
}

const tooManyRequests = 429;
const firstServerError = 500;

const isLimit = (error: unknown): boolean =>
  error instanceof AmbryError && error.code === 'LimitExceeded';

const isTimeout = (error: unknown): boolean =>
  error instanceof AmbryError && (error.cause as Error | undefined)?.name === 'TimeoutError';

/** Throws if the file is gone. */
function checkIsThere({ status }: Response, path: string): void {
  if (status === 404 || status === 410) {
    throw new StaleFile(path, `status ${status}`, 'NotFound');
  }
}

/** Throws unless the answer has the file. */
function checkStatus(response: Response, path: string): void {
  checkIsThere(response, path);
  if (!response.ok) {
    const message = `The server answers with status ${response.status} for ${path}.`;
    throw new AmbryError('Http', message, { path });
  }
}

function folderUrl(source: string | URL): URL {
  const page = typeof document === 'undefined' ? undefined : document.baseURI;
  if (!URL.canParse(String(source), page)) {
    const message = `"${source}" is no address of a search index. State it with its host, such as https://example.org/search/.`;
    throw new AmbryError('BadValue', message, { path: 'source' });
  }
  const url = new URL(source, page);
  url.pathname = url.pathname.replace(/(\/manifest\.json|\/)?$/, '/');
  return url;
}

/** Pages that are not secure contexts cannot hash. What a file holds is checked there all the same when it is read. */
async function hasName(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<boolean> {
  if (!globalThis.crypto?.subtle) {
    return true;
  }
  return fileName(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))) === name;
}

function failed(path: string, cause: unknown): AmbryError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AmbryError('Http', `${path} of the search index cannot be fetched: ${reason}`, {
    path,
    cause,
  });
}

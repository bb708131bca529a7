// Fetches the files of an index.
import { AmbryError, type Encoder, open, type Progress } from 'ambry/static-encoder';
import { fileName, filePath, manifestName } from '../shared/file-name.ts';
import { type Manifest, type ModelInfo, parseManifest } from '../shared/manifest.ts';
import { readBody } from './read-body.ts';
import { StaleFile } from './stale-file.ts';
import type { FetchFile, FetchInit, SiteSource } from './types.ts';

export class SiteFiles {
  /** The address of the folder, where there is one. */
  readonly base: URL | undefined;
  readonly #fetch: FetchFile;
  readonly #timeout: number;

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
    if (response.status === 404 || response.status === 410) {
      throw new StaleFile(path, `status ${response.status}`, 'NotFound');
    }
    if (!response.ok) {
      const message = `The server answers with status ${response.status} for ${path}.`;
      throw new AmbryError('Http', message, { path });
    }
    const bytes = await this.#body(response, 'fileBytes', path);
    if (name !== undefined && !(await hasName(bytes, name))) {
      throw new StaleFile(path, 'it holds something else', 'Mismatch');
    }
    return bytes;
  }

  /** Opens the model. */
  async model(
    { name, url, sha256 }: ModelInfo,
    keep: boolean,
    onProgress: (progress: Progress) => void,
  ): Promise<Encoder> {
    const path = url ?? filePath.model(name);
    if (!this.base) {
      return open(await this.file(path, name, false), { onProgress });
    }
    const options = { cache: keep, onProgress, ...(sha256 !== undefined && { sha256 }) };
    return open(new URL(path, this.base).href, options);
  }

  async #response(path: string, cache: FetchInit['cache']): Promise<Response> {
    try {
      return await this.#fetch(path, { cache, signal: AbortSignal.timeout(this.#timeout) });
    } catch (cause) {
      throw failed(path, cause);
    }
  }

  async #body(response: Response, limit: 'manifestBytes' | 'fileBytes', path: string) {
    try {
      return await readBody(response, limit, path);
    } catch (cause) {
      if (cause instanceof AmbryError) {
        throw cause;
      }
      throw failed(path, cause);
    }
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

// The pages of the documentation that were visited, with their files. They are built after the other pages, so they are not
// in the list of files: what the server has sent is kept.

import { plain } from './kept-files.ts';

/** The oldest files are deleted when there are more. */
const mostFiles = 400;
const mostFileBytes = 4 << 20;
/** Files whose names have a hash. */
const isHashed = /\/assets\/[^/]*[.-][\w-]{8,}\.[a-z\d]+$/;

export class VisitedDocs {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** The server's answer. What is kept is the answer where the server cannot be reached, and for files that never change. */
  async answer(request: Request, later: (work: Promise<unknown>) => void): Promise<Response> {
    const cache = await caches.open(this.#name);
    const { pathname } = new URL(request.url);
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept !== undefined && isHashed.test(pathname)) {
      return kept;
    }
    try {
      const response = await fetch(request);
      if (isKeepable(request, response)) {
        later(this.#keep(cache, request, response.clone()));
      }
      return response;
    } catch (error) {
      if (kept !== undefined) {
        return kept;
      }
      throw error;
    }
  }

  async bytes(): Promise<number> {
    const cache = await caches.open(this.#name);
    const all = await cache.matchAll();
    return all.reduce((sum, { headers }) => sum + Number(headers.get('content-length')), 0);
  }

  async delete(): Promise<void> {
    await caches.delete(this.#name);
  }

  async #keep(cache: Cache, request: Request, response: Response): Promise<void> {
    const url = new URL(request.url);
    url.search = '';
    await cache.put(url.href, await plain(response));
    const keys = await cache.keys();
    for (const old of keys.slice(0, Math.max(keys.length - mostFiles, 0))) {
      await cache.delete(old);
    }
  }
}

/** Parts of files and redirected pages cannot be answered with later. */
function isKeepable(request: Request, response: Response): boolean {
  const isWhole = response.status === 200 && !request.headers.has('range');
  const bytes = Number(response.headers.get('content-length'));
  return isWhole && response.type === 'basic' && !response.redirected && bytes <= mostFileBytes;
}

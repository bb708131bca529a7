// The files of the site that are kept in this browser. All pages share one cache, so that no file is there twice.

import type { SiteFile } from './site-files.ts';

/** Headers that describe how the answer came, not what is in it. */
const ofTransfer = [
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'age',
  'vary',
];

/** The answer as it is kept: decoded, and not marked as redirected, which a page must not be. */
export async function plain(response: Response): Promise<Response> {
  const content = await response.blob();
  const headers = new Headers(response.headers);
  for (const name of ofTransfer) {
    headers.delete(name);
  }
  headers.set('content-length', String(content.size));
  return new Response(content, { headers });
}

/** Servers answer with a page where a file is missing, and networks where one must log in. */
const isPage = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/html') ?? false;

export class KeptFiles {
  readonly #root: URL;
  readonly #name: string;
  /** The keys of what is kept. */
  #keys: Promise<Set<string>> | undefined;
  readonly #running = new Map<string, Promise<void>>();
  #stopping = new AbortController();

  /** `root` is the address of the site. `name` is that of its cache. */
  constructor(root: URL, name: string) {
    this.#root = root;
    this.#name = name;
  }

  /** The address under which the file is kept. That of a file that keeps its name has its hash, too. */
  keyOf({ path, integrity }: Pick<SiteFile, 'path' | 'integrity'>): string {
    const url = new URL(path, this.#root);
    if (integrity !== undefined) {
      url.search = new URLSearchParams({ integrity }).toString();
    }
    return url.href;
  }

  async match(file: Pick<SiteFile, 'path' | 'integrity'>): Promise<Response | undefined> {
    const key = this.keyOf(file);
    const has = (await this.#keptKeys()).has(key);
    return has ? (await this.#open()).match(key) : undefined;
  }

  async has(file: SiteFile): Promise<boolean> {
    return (await this.#keptKeys()).has(this.keyOf(file));
  }

  /** Fetches the file, unless it is kept. Rejects if it does not come, or is of another build. */
  async keep(file: SiteFile): Promise<void> {
    if (await this.has(file)) {
      return;
    }
    const key = this.keyOf(file);
    const running = this.#running.get(key) ?? this.#fetch(file, key);
    this.#running.set(key, running);
    try {
      await running;
    } finally {
      this.#running.delete(key);
    }
  }

  /** Ends all that is being fetched. */
  stop(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
  }

  /** Deletes all files but these. */
  async deleteAllBut(wanted: readonly SiteFile[]): Promise<void> {
    const keys = new Set(wanted.map((file) => this.keyOf(file)));
    const cache = await this.#open();
    for (const { url } of await cache.keys()) {
      if (!keys.has(url)) {
        await cache.delete(url);
      }
    }
    this.#keys = undefined;
  }

  async deleteAll(): Promise<void> {
    await caches.delete(this.#name);
    this.#keys = undefined;
  }

  async #fetch({ path, integrity }: SiteFile, key: string): Promise<void> {
    // The address that visitors open. Some servers redirect the other one.
    const url = new URL(path.replace(/(^|\/)index\.html$/, '$1'), this.#root);
    const { signal } = this.#stopping;
    const response = await fetch(url, {
      signal,
      ...(integrity && { integrity, cache: 'no-cache' }),
    });
    if (response.status !== 200 || isPage(response) !== path.endsWith('.html')) {
      throw new Error(`${url} answered ${response.status}.`);
    }
    await (await this.#open()).put(key, await plain(response));
    (await this.#keptKeys()).add(key);
  }

  #open(): Promise<Cache> {
    return caches.open(this.#name);
  }

  #keptKeys(): Promise<Set<string>> {
    this.#keys ??= this.#open()
      .then((cache) => cache.keys())
      .then((requests) => new Set(requests.map(({ url }) => url)));
    return this.#keys;
  }
}

// The cache in the Cache API, for browsers whose workers cannot write files. An entry has several pieces, each stored
// as a response, and one response with the metadata.
import { blobSource } from '../base/blob.ts';
import {
  type CacheEntry,
  type CacheStore,
  type CacheWriter,
  parseFacts,
  type Release,
} from './store.ts';
import { webLock } from './web-lock.ts';

const name = 'ambry';
const pieceBytes = 4 << 20;

/** An address that no server has. */
const addressOf = (key: string, part: number | 'facts' | '') =>
  `https://cache.invalid/${key}/${part}`;

export class ResponseStore implements CacheStore {
  readonly #cache: Cache;

  private constructor(cache: Cache) {
    this.#cache = cache;
  }

  static async open(): Promise<ResponseStore | undefined> {
    try {
      return new ResponseStore(await caches.open(name));
    } catch {
      return undefined;
    }
  }

  lock(key: string, mode: LockMode): Promise<Release | undefined> {
    return webLock(key, mode);
  }

  async find(key: string): Promise<CacheEntry | undefined> {
    const text = await (await this.#cache.match(addressOf(key, 'facts')))?.text();
    const facts = text === undefined ? undefined : parseFacts(text);
    if (!facts) {
      return undefined;
    }
    const bytes = new Blob(await this.#pieces(key));
    return {
      facts,
      bytes: bytes.size,
      open: (signal) => Promise.resolve(blobSource(bytes, signal)),
    };
  }

  async write(key: string, from: number): Promise<CacheWriter> {
    if (from === 0) {
      await this.remove(key);
    }
    let piece = (await this.#pieces(key)).length;
    let parts: Uint8Array<ArrayBuffer>[] = [];
    let held = 0;
    const put = (part: number | 'facts', body: BodyInit) =>
      this.#cache.put(addressOf(key, part), new Response(body));
    const flush = async () => {
      if (held > 0) {
        await put(piece++, new Blob(parts));
      }
      parts = [];
      held = 0;
    };
    return {
      append: async (bytes) => {
        parts.push(bytes);
        held += bytes.byteLength;
        if (held >= pieceBytes) {
          await flush();
        }
      },
      describe: async (facts) => {
        await flush();
        await put('facts', JSON.stringify(facts));
      },
      close: flush,
    };
  }

  async remove(key: string): Promise<boolean> {
    // A piece may be missing, so all are looked for.
    const requests = await this.#cache.keys();
    const own = requests.filter(({ url }) => url.startsWith(addressOf(key, '')));
    const removed = await Promise.all(own.map((request) => this.#cache.delete(request)));
    return removed.includes(true);
  }

  async keys(): Promise<string[]> {
    const keys = new Set<string>();
    for (const { url } of await this.#cache.keys()) {
      const key = /^https:\/\/cache\.invalid\/([0-9a-f]+)\//.exec(url)?.[1];
      if (key !== undefined) {
        keys.add(key);
      }
    }
    return [...keys];
  }

  async #pieces(key: string): Promise<Blob[]> {
    const pieces: Blob[] = [];
    for (;;) {
      const response = await this.#cache.match(addressOf(key, pieces.length));
      if (!response) {
        return pieces;
      }
      pieces.push(await response.blob());
    }
  }
}

// The cache in a directory, for Node. Every whole file is recorded with its SHA-256, which is computed while it is stored, so
// that a copy that was changed can be told.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openFile } from '../base/node-file.ts';
import type { FetchOptions } from '../base/types.ts';
import { lockIn } from './node-locks.ts';
import {
  type CacheEntry,
  type CacheStore,
  type CacheWriter,
  parseFacts,
  type Release,
} from './store.ts';

/** The directory for `cache: true`: the user's cache directory. */
export function defaultDirectory(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) {
    return join(XDG_CACHE_HOME, 'ambry');
  }
  if (process.platform === 'win32' && LOCALAPPDATA) {
    return join(LOCALAPPDATA, 'ambry');
  }
  const usual = process.platform === 'darwin' ? ['Library', 'Caches'] : ['.cache'];
  return join(homedir(), ...usual, 'ambry');
}

export async function directoryStore(
  cache: NonNullable<FetchOptions['cache']>,
): Promise<DirectoryStore> {
  const directory = typeof cache === 'object' ? cache.directory : undefined;
  return new DirectoryStore(directory ?? defaultDirectory());
}

export async function directoryStores(directory?: string): Promise<DirectoryStore[]> {
  return [await directoryStore(directory === undefined ? true : { directory })];
}

export class DirectoryStore implements CacheStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  lock(key: string, mode: 'shared' | 'exclusive'): Promise<Release | undefined> {
    return lockIn(this.#directory, key, mode);
  }

  /** Where the bytes of a file lie. */
  pathOf(key: string): string {
    return this.#at(`${key}.bin`);
  }

  async find(key: string): Promise<CacheEntry | undefined> {
    const path = this.pathOf(key);
    const text = await readFile(this.#at(`${key}.json`), 'utf8').catch(() => undefined);
    const bytes = await stat(path).catch(() => undefined);
    const facts = text === undefined ? undefined : parseFacts(text);
    if (!facts || !bytes) {
      return undefined;
    }
    const { sha256 } = facts;
    return {
      facts,
      bytes: bytes.size,
      isIntact:
        sha256 === undefined
          ? undefined
          : async (signal) => (await hashOf(path, signal)).digest('hex') === sha256,
      open: (signal) => openFile(path, { signal }),
    };
  }

  async write(key: string, from: number): Promise<CacheWriter> {
    const path = this.pathOf(key);
    const handle = await open(path, 'a');
    if ((await handle.stat()).size > from) {
      await handle.truncate(from);
    }
    const hash = from > 0 ? await hashOf(path) : createHash('sha256');
    return {
      append: async (bytes) => {
        hash.update(bytes);
        await handle.writeFile(bytes);
      },
      describe: async (facts) => {
        await handle.datasync();
        const own = facts.complete ? { ...facts, sha256: hash.copy().digest('hex') } : facts;
        await writeFile(this.#at(`${key}.json.new`), JSON.stringify(own));
        await rename(this.#at(`${key}.json.new`), this.#at(`${key}.json`));
      },
      close: () => handle.close(),
    };
  }

  async remove(key: string): Promise<boolean> {
    const paths = [this.#at(`${key}.json`), this.#at(`${key}.bin`)];
    const removed = await Promise.all(
      paths.map((path) =>
        rm(path).then(
          () => true,
          () => false,
        ),
      ),
    );
    return removed.includes(true);
  }

  async keys(): Promise<string[]> {
    const names = await readdir(this.#directory).catch(() => []);
    return names.filter((name) => name.endsWith('.bin')).map((name) => name.slice(0, -4));
  }

  #at(name: string): string {
    return join(this.#directory, name);
  }
}

async function hashOf(path: string, signal?: AbortSignal): Promise<Hash> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
    hash.update(chunk as Buffer);
  }
  return hash;
}

// The cache in a directory, for Node. A job that uses an entry writes a lock file beside it that has its process id.
// Locks of processes that have ended are ignored.
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { openFile } from '../base/node-file.ts';
import { isRunning } from '../base/node-process.ts';
import type { FetchOptions } from '../base/types.ts';
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

const lockAttempts = 5;
const lockPauseMs = 30;

let locks = 0;

export class DirectoryStore implements CacheStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Makes the directory. Two processes that lock at the same moment both see the other and release the lock. So each
   *  tries a few times. */
  async lock(key: string, mode: 'shared' | 'exclusive'): Promise<Release | undefined> {
    await mkdir(this.#directory, { recursive: true });
    for (let attempt = 0; attempt < lockAttempts; attempt++) {
      if (attempt > 0) {
        await sleep(lockPauseMs * (1 + Math.random()));
      }
      const release = await this.#tryLock(key, mode);
      if (release) {
        return release;
      }
    }
    return undefined;
  }

  async #tryLock(key: string, mode: 'shared' | 'exclusive'): Promise<Release | undefined> {
    const name = `${key}.${mode}.${process.pid}.${threadId}.${locks++}`;
    await writeFile(this.#at(name), '');
    const release = () => rm(this.#at(name), { force: true });
    const isFree = await this.#isFree(key, mode, name).catch(() => false);
    if (isFree) {
      return release;
    }
    await release();
    return undefined;
  }

  async #isFree(key: string, mode: 'shared' | 'exclusive', own: string): Promise<boolean> {
    for (const other of await readdir(this.#directory)) {
      const [owner, otherMode, pid] = other.split('.');
      const counts = otherMode === 'exclusive' || (otherMode === 'shared' && mode === 'exclusive');
      if (owner !== key || other === own || !counts) {
        continue;
      }
      if (isRunning(Number(pid))) {
        return false;
      }
      await rm(this.#at(other), { force: true });
    }
    return true;
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
    return { facts, bytes: bytes.size, open: (signal) => openFile(path, { signal }) };
  }

  async write(key: string, from: number): Promise<CacheWriter> {
    const handle = await open(this.#at(`${key}.bin`), 'a');
    if ((await handle.stat()).size > from) {
      await handle.truncate(from);
    }
    return {
      append: async (bytes) => {
        await handle.writeFile(bytes);
      },
      describe: async (facts) => {
        await handle.datasync();
        await writeFile(this.#at(`${key}.json.new`), JSON.stringify(facts));
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

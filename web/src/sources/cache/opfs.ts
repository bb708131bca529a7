// The cache in the origin-private file system. An entry has two files: the bytes and the metadata. Pages list and
// delete entries. Workers write them (worker-opfs.ts).
import { blobSource } from '../base/blob.ts';
import {
  type CacheEntry,
  type CacheStore,
  type CacheWriter,
  parseFacts,
  type Release,
} from './store.ts';
import { webLock } from './web-lock.ts';

const folderName = 'ambry';

type OpfsWriter = (
  folder: FileSystemDirectoryHandle,
  key: string,
  from: number,
) => Promise<CacheWriter>;

export const bytesName = (key: string): string => `${key}.bin`;
export const factsName = (key: string): string => `${key}.json`;

export class OpfsStore implements CacheStore {
  readonly #folder: FileSystemDirectoryHandle;
  readonly #writer: OpfsWriter | undefined;

  private constructor(folder: FileSystemDirectoryHandle, writer: OpfsWriter | undefined) {
    this.#folder = folder;
    this.#writer = writer;
  }

  /** Undefined if there is no such file system: an old browser, no https, some private windows. */
  static async open(writer?: OpfsWriter): Promise<OpfsStore | undefined> {
    try {
      const root = await navigator.storage.getDirectory();
      return new OpfsStore(await root.getDirectoryHandle(folderName, { create: true }), writer);
    } catch {
      return undefined;
    }
  }

  lock(key: string, mode: LockMode): Promise<Release | undefined> {
    return webLock(key, mode);
  }

  async find(key: string): Promise<CacheEntry | undefined> {
    const [text, bytes] = await Promise.all([
      this.#file(factsName(key)).then((file) => file?.text().catch(() => undefined)),
      this.#file(bytesName(key)),
    ]);
    const facts = text === undefined ? undefined : parseFacts(text);
    if (!facts || !bytes) {
      return undefined;
    }
    return {
      facts,
      bytes: bytes.size,
      open: (signal) => Promise.resolve(blobSource(bytes, signal)),
    };
  }

  write(key: string, from: number): Promise<CacheWriter> {
    if (!this.#writer) {
      throw new Error('only a worker writes to the cache');
    }
    return this.#writer(this.#folder, key, from);
  }

  async remove(key: string): Promise<boolean> {
    const removed = await Promise.all([this.#remove(factsName(key)), this.#remove(bytesName(key))]);
    return removed.includes(true);
  }

  async keys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const name of this.#folder.keys()) {
      if (name.endsWith('.bin')) {
        keys.push(name.slice(0, -'.bin'.length));
      }
    }
    return keys;
  }

  async #file(name: string): Promise<File | undefined> {
    try {
      return await (await this.#folder.getFileHandle(name)).getFile();
    } catch {
      return undefined;
    }
  }

  async #remove(name: string): Promise<boolean> {
    try {
      await this.#folder.removeEntry(name);
      return true;
    } catch {
      return false;
    }
  }
}

// Caches the head of a remote file that is read by range. A later download of the whole file can continue it. If
// caching fails, the job goes on.

import { isAbort } from '../../base/errors.ts';
import { joined } from '../base/stream.ts';
import { isLasting } from '../http/answer.ts';
import type { Remote } from '../http/remote.ts';
import { type CacheEntry, type CacheStore, hasRightSize, keyOf, type Release } from './store.ts';

interface Piece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export class KeptHead {
  readonly #store: CacheStore;
  readonly #remote: Remote;
  /** The cached bytes, from the start of the file on. */
  readonly held: Uint8Array;
  /** The pieces that are not written yet. */
  #pieces: Piece[] | undefined = [];

  private constructor(store: CacheStore, remote: Remote, held: Uint8Array) {
    this.#store = store;
    this.#remote = remote;
    this.held = held;
  }

  /** At most `atMost` bytes of the cached head of this version. */
  static async find(store: CacheStore, remote: Remote, atMost: number): Promise<KeptHead> {
    return new KeptHead(store, remote, await keptBytes(store, remote, atMost));
  }

  /** Adds bytes that were read from the file. */
  add(offset: number, bytes: Uint8Array): void {
    this.#pieces?.push({ offset, bytes });
  }

  /** Writes the added bytes that continue the cached head. */
  async keep(): Promise<void> {
    const { url, size, version } = this.#remote;
    const head = await joinedHead(this.#pieces ?? []);
    this.#pieces = undefined;
    if (!isLasting(version) || this.held.byteLength > 0) {
      return;
    }
    const key = await keyOf(url);
    let release: Release | undefined;
    try {
      release = await this.#store.lock(key, 'exclusive');
      if (!release) {
        return;
      }
      await this.#store.remove(key);
      const writer = await this.#store.write(key, 0);
      try {
        await writer.describe({ url, size, version, complete: false, storedAt: Date.now() });
        await writer.append(head);
      } finally {
        await writer.close();
      }
    } catch {
      if (release) {
        await this.#store.remove(key).catch(() => {});
      }
    } finally {
      await release?.();
    }
  }
}

/** The pieces from the first byte to the first gap. */
async function joinedHead(pieces: readonly Piece[]): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const { offset, bytes } of [...pieces].sort((a, b) => a.offset - b.offset)) {
    if (offset > end) {
      break;
    }
    const fresh = bytes.subarray(Math.min(end - offset, bytes.byteLength));
    parts.push(fresh);
    end += fresh.byteLength;
  }
  return joined(end, parts);
}

/** None if the cached file is of another version, or damaged. */
async function keptBytes(store: CacheStore, remote: Remote, atMost: number): Promise<Uint8Array> {
  const none = new Uint8Array(0);
  const key = await keyOf(remote.url);
  let release: Release | undefined;
  try {
    release = await store.lock(key, 'shared');
    const entry = release && (await store.find(key));
    if (!entry || !isOf(entry, remote)) {
      return none;
    }
    const file = await entry.open(remote.signal);
    try {
      return await file.read(0, Math.min(entry.bytes, atMost));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbort(error)) {
      throw error;
    }
    return none;
  } finally {
    await release?.();
  }
}

function isOf(entry: CacheEntry, { url, size, version }: Remote): boolean {
  const { facts } = entry;
  const isSame = facts.url === url && facts.size === size && facts.version === version;
  return isSame && version !== undefined && hasRightSize(entry);
}

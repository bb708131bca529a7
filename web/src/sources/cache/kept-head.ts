// The head of a remote file in the cache, for files that are read in parts: what a whole download would
// have begun with, which one can continue. Whatever goes wrong with the keeping, the job goes on.

import type { Remote } from '../http/remote.ts';
import { joined } from '../stream.ts';
import { type CacheStore, keyOf } from './store.ts';

interface Piece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export class KeptHead {
  readonly #store: CacheStore;
  readonly #remote: Remote;
  /** What is held of the file, from its first byte on. */
  readonly held: Uint8Array;
  /** Until they are kept. */
  #pieces: Piece[] | undefined = [];

  private constructor(store: CacheStore, remote: Remote, held: Uint8Array) {
    this.#store = store;
    this.#remote = remote;
    this.held = held;
  }

  /** `atMost` bytes of what is kept of this very version. */
  static async find(store: CacheStore, remote: Remote, atMost: number): Promise<KeptHead> {
    return new KeptHead(store, remote, await keptBytes(store, remote, atMost));
  }

  /** Bytes that were read of the file. */
  add(offset: number, bytes: Uint8Array): void {
    this.#pieces?.push({ offset, bytes });
  }

  /** Keeps what was added, as far as it continues what is there. */
  async keep(): Promise<void> {
    const { url, size, version } = this.#remote;
    const head = await joinedHead(this.#pieces ?? []);
    this.#pieces = undefined;
    if (version === undefined || this.held.byteLength > 0) return;
    const key = await keyOf(url);
    const release = await this.#store.lock(key, 'exclusive');
    if (!release) return;
    try {
      await this.#store.remove(key);
      const writer = await this.#store.write(key);
      try {
        await writer.describe({ url, size, version, complete: false, storedAt: Date.now() });
        await writer.append(head);
      } finally {
        await writer.close();
      }
    } catch {
      await this.#store.remove(key).catch(() => {});
    } finally {
      await release();
    }
  }
}

/** The pieces from the first byte on, as far as there is no gap. */
async function joinedHead(pieces: readonly Piece[]): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const { offset, bytes } of [...pieces].sort((a, b) => a.offset - b.offset)) {
    if (offset > end) break;
    const fresh = bytes.subarray(Math.min(end - offset, bytes.byteLength));
    parts.push(fresh);
    end += fresh.byteLength;
  }
  return joined(end, parts);
}

async function keptBytes(store: CacheStore, remote: Remote, atMost: number): Promise<Uint8Array> {
  const none = new Uint8Array(0);
  const { url, size, version, signal } = remote;
  const key = await keyOf(url);
  const release = await store.lock(key, 'shared');
  if (!release) return none;
  try {
    const entry = await store.find(key);
    const isSame = entry?.facts.url === url && entry.facts.version === version;
    if (!entry || !isSame || version === undefined || entry.facts.size !== size) return none;
    const file = await entry.open(signal);
    try {
      return await file.read(0, Math.min(entry.bytes, atMost));
    } finally {
      await file.close();
    }
  } finally {
    await release();
  }
}

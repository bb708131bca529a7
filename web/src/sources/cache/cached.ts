// A URL through the cache. A whole file is used again when the server says that it is still the same; a
// part of one is continued; everything that is downloaded whole is kept on the way. Whatever goes wrong
// with the keeping is told in `note` and the download goes on without it.
import { isAbort, messageOf } from '../../errors.ts';
import type { ByteSource, SourceOptions } from '../byte-source.ts';
import { HashedSource, wrongHash } from '../hashed.ts';
import { badStatus, MustRestart } from '../http/error.ts';
import { openHttp } from '../http/http.ts';
import { Remote, versionIn } from '../http/remote.ts';
import { OnePass } from '../one-pass.ts';
import { Sha256 } from '../sha256.ts';
import {
  type CacheEntry,
  type CacheFacts,
  type CacheStore,
  type CacheWriter,
  keyOf,
  type Release,
} from './store.ts';

export interface CachedOptions extends SourceOptions {
  readonly store: CacheStore;
  /** In lower case. */
  readonly sha256?: string | undefined;
  /** Whether the job reads the whole file; else nothing is added to the cache. */
  readonly whole: boolean;
}

const busy = 'Another job is storing this file; this download is not kept.';
const noVersion =
  'The server does not name the file’s version (ETag, Last-Modified); it is not kept.';
const offline =
  'The server cannot be asked whether the file is still the same; the kept copy is used.';

export async function openCached(url: string, options: CachedOptions): Promise<ByteSource> {
  const { store } = options;
  const key = await keyOf(url);
  const shared = await store.lock(key, 'shared');
  const kept = shared && (await openKept(url, key, options, shared));
  if (kept) return kept;
  await shared?.();
  if (!options.whole) return uncached(url, options);
  const release = await store.lock(key, 'exclusive');
  if (!release) return uncached(url, options, busy);
  const keeping = new Keeping(url, key, options, release);
  try {
    return await keeping.open();
  } catch (error) {
    await keeping.end();
    throw error;
  }
}

/** The kept file, if it is whole and still good. */
async function openKept(
  url: string,
  key: string,
  { store, signal, sha256, retryPolicy }: CachedOptions,
  release: Release,
): Promise<ByteSource | undefined> {
  const entry = await store.find(key);
  if (!entry?.facts.complete || entry.facts.url !== url) return undefined;
  const proven = sha256 !== undefined && entry.facts.sha256 === sha256;
  const state = proven ? 'same' : await compare(new Remote(url, signal, retryPolicy), entry.facts);
  if (state === 'changed') return undefined;
  const file = await entry.open(signal);
  const source = sha256 === undefined || proven ? file : new HashedSource(file, sha256);
  return fromCache(source, release, state === 'offline' ? offline : undefined);
}

/** Asks whether the file is the one we have, for at most a byte of it. */
async function compare(
  remote: Remote,
  { version = '', size }: CacheFacts,
): Promise<'same' | 'changed' | 'offline'> {
  const name = version.startsWith('"') ? 'if-none-match' : 'if-modified-since';
  const condition = version !== '' && isNear(remote.url) ? { [name]: version } : {};
  let response: Response;
  try {
    response = await remote.ask({ range: 'bytes=0-0', ...condition });
  } catch (error) {
    if (isAbort(error)) throw error;
    return 'offline';
  }
  await response.body?.cancel();
  if (response.status === 304) return 'same';
  if (!response.ok) throw badStatus(response, remote.url);
  remote.learn(response);
  const sameSize = remote.size === undefined || remote.size === size;
  return version !== '' && versionIn(response) === version && sameSize ? 'same' : 'changed';
}

/** Another origin would be asked for its permission first, and may not give it. */
function isNear(url: string): boolean {
  const page = (globalThis as { location?: { origin: string } }).location;
  return page === undefined || new URL(url).origin === page.origin;
}

function fromCache(source: ByteSource, release: Release, note: string | undefined): ByteSource {
  return {
    size: source.size,
    phase: 'load',
    seekable: true,
    cached: true,
    note,
    read: (offset, length) => source.read(offset, length),
    stream: (begin, end) => source.stream(begin, end),
    measure: () => source.measure(),
    settle: async () => source.settle?.(),
    close: () => source.close().finally(release),
  };
}

async function uncached(url: string, options: CachedOptions, note?: string): Promise<ByteSource> {
  const { sha256 } = options;
  const plain = await openHttp(url, options);
  const source = sha256 === undefined ? plain : new HashedSource(plain, sha256);
  return note === undefined ? source : Object.defineProperty(source, 'note', { value: note });
}

/** The source over such a download: what nobody wanted is taken in too when the work is done. */
class KeptPass extends OnePass {
  readonly #chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>;
  readonly #keeping: Keeping;

  constructor(
    chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
    size: number | undefined,
    keeping: Keeping,
  ) {
    super(chunks, size, 'download', keeping.options);
    this.#chunks = chunks;
    this.#keeping = keeping;
  }

  get cached(): boolean {
    return this.#keeping.cached;
  }

  get note(): string | undefined {
    return this.#keeping.note;
  }

  async settle(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#keeping.end();
  }
}

/** A download that is kept on its way. */
class Keeping {
  readonly #url: string;
  readonly #key: string;
  readonly options: CachedOptions;
  readonly #remote: Remote;
  readonly #release: Release;
  #writer: CacheWriter | undefined;
  note: string | undefined;
  /** Whether the bytes given last were kept from before. */
  cached = false;

  constructor(url: string, key: string, options: CachedOptions, release: Release) {
    this.#url = url;
    this.#key = key;
    this.options = options;
    this.#release = release;
    this.#remote = new Remote(url, options.signal, options.retryPolicy);
  }

  async open(): Promise<ByteSource> {
    const part = await this.#part();
    const response = part ? await this.#continue(part) : undefined;
    const begun = response ? part : undefined;
    const first = response ?? (await this.#begin());
    return new KeptPass(this.#chunks(begun, first), this.#remote.size, this);
  }

  /** What is there of a file that can be continued. */
  async #part(): Promise<CacheEntry | undefined> {
    const { store } = this.options;
    const entry = await store.find(this.#key);
    const { facts, bytes = 0 } = entry ?? {};
    if (facts && !facts.complete && facts.url === this.#url && facts.version && bytes > 0)
      return entry;
    await store.remove(this.#key);
    return undefined;
  }

  async #continue({ facts, bytes }: CacheEntry): Promise<Response | undefined> {
    this.#remote.size = facts.size;
    this.#remote.version = facts.version;
    try {
      const response = await this.#remote.resume(bytes);
      this.#writer = await this.options.store.write(this.#key);
      return response;
    } catch (error) {
      if (!(error instanceof MustRestart)) throw error;
      await this.options.store.remove(this.#key);
      return undefined;
    }
  }

  async #begin(): Promise<Response> {
    const response = await this.#remote.ask({});
    if (response.status !== 200) throw badStatus(response, this.#url);
    this.#remote.learn(response);
    const { version, size } = this.#remote;
    if (version === undefined && this.options.sha256 === undefined) {
      this.note = noVersion;
      return response;
    }
    await this.#keep(async () => {
      this.#writer = await this.options.store.write(this.#key);
      const storedAt = Date.now();
      await this.#writer.describe({ url: this.#url, size, version, complete: false, storedAt });
    });
    return response;
  }

  async *#chunks(
    part: CacheEntry | undefined,
    first: Response,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const { signal, sha256 } = this.options;
    const hash = sha256 === undefined ? undefined : new Sha256();
    const begin = part?.bytes ?? 0;
    let size = begin;
    if (part) {
      this.cached = true;
      const kept = await part.open(signal);
      try {
        for await (const chunk of kept.stream(0, begin)) {
          hash?.update(chunk);
          yield chunk as Uint8Array<ArrayBuffer>;
        }
      } finally {
        await kept.close();
      }
      this.cached = false;
    }
    for await (const chunk of this.#remote.body(
      begin,
      this.#remote.size,
      first,
      part !== undefined,
    )) {
      hash?.update(chunk);
      size += chunk.byteLength;
      await this.#keep((writer) => writer?.append(chunk));
      yield chunk;
    }
    const found = hash?.hex();
    if (found !== sha256) {
      await this.#giveUp();
      throw wrongHash(found ?? '', sha256 ?? '');
    }
    const { version } = this.#remote;
    const storedAt = Date.now();
    await this.#keep((writer) =>
      writer?.describe({ url: this.#url, size, version, sha256, complete: true, storedAt }),
    );
  }

  /** Runs what keeps the file; when that fails, the file is not kept and the job goes on. */
  async #keep(work: (writer: CacheWriter | undefined) => Promise<void> | undefined): Promise<void> {
    try {
      await work(this.#writer);
    } catch (error) {
      const full = error instanceof DOMException && error.name === 'QuotaExceededError';
      const why = full ? 'the storage is full' : messageOf(error);
      this.note = `The file is not kept: ${why}.`;
      await this.#giveUp();
    }
  }

  async #giveUp(): Promise<void> {
    await this.#writer?.close().catch(() => {});
    this.#writer = undefined;
    await this.options.store.remove(this.#key).catch(() => {});
  }

  async end(): Promise<void> {
    await this.#writer?.close().catch(() => {});
    this.#writer = undefined;
    await this.#release();
  }
}

// A URL with a cache. A complete cached file is used if the server confirms its version. An incomplete one is
// continued. Complete downloads are cached while they arrive. If caching fails, `note` says why and the download goes
// on. A damaged file is removed, and the job starts again. Another job that stores the file is waited for, if asked for.
import { isAbort } from '../../base/errors.ts';
import type { ByteSource } from '../base/byte-source.ts';
import { checkedSource, HashedSource } from '../base/hashed.ts';
import { etagOf, isSameVersion, sizeIn } from '../http/answer.ts';
import { openHttp } from '../http/http.ts';
import { Remote } from '../http/remote.ts';
import { isOtherOrigin } from '../http/url.ts';
import { type CachedOptions, damaged, Keeping } from './keeping.ts';
import { lockFor } from './lock-for.ts';
import { type CacheEntry, type CacheFacts, keyOf, type Release } from './store.ts';

const offline =
  'The server cannot be asked whether the file is still the same; the kept copy is used.';

export async function openCached(url: string, options: CachedOptions): Promise<ByteSource> {
  const key = await keyOf(url);
  // A lock would make the directory.
  const { store, whole, keeps = true } = options;
  if (!keeps && !(await store.find(key))) {
    return uncached(url, options);
  }
  const shared = await lockFor(key, 'shared', options);
  let seen: Seen = {};
  if (typeof shared === 'function') {
    seen = await orRelease(shared, () => openKept(url, key, options, shared));
    if (seen.source) {
      return seen.source;
    }
    await shared();
  }
  if (!whole || !keeps) {
    return uncached(url, options, seen.why);
  }
  const release = await lockFor(key, 'exclusive', options);
  if (typeof release === 'string') {
    return uncached(url, options, release);
  }
  const { complete, storedAt } = (await orRelease(release, () => store.find(key)))?.facts ?? {};
  // Meanwhile another job has stored the file.
  if (complete && storedAt !== seen.storedAt) {
    await release();
    return openCached(url, options);
  }
  const keeping = new Keeping(url, key, options, release, seen.why);
  return orRelease(
    () => keeping.end(),
    () => keeping.open(),
  );
}

async function orRelease<T>(release: Release, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await release();
    throw error;
  }
}

/** What was found in the cache. */
interface Seen {
  /** The cached file, if it is complete and up to date. */
  readonly source?: ByteSource;
  readonly storedAt?: number | undefined;
  /** Says that the file is damaged. */
  readonly why?: string | undefined;
}

async function openKept(
  url: string,
  key: string,
  options: CachedOptions,
  release: Release,
): Promise<Seen> {
  const { store, signal, sha256 } = options;
  const entry = await store.find(key);
  if (!entry?.facts.complete || entry.facts.url !== url) {
    return {};
  }
  const { storedAt } = entry.facts;
  const fault = wrongSize(entry, options);
  if (fault !== undefined) {
    return { storedAt, why: damagedCopy(url, fault) };
  }
  const state = await stateOf(url, entry, options);
  if (state === 'changed') {
    return { storedAt };
  }
  const remove = () => store.remove(key);
  // Before the job sees a byte: a damaged file could look like a bad model.
  if (await isAltered(entry, options)) {
    await remove();
    return { why: damagedCopy(url, 'its bytes are not those that were stored') };
  }
  const source = await entry.open(signal);
  try {
    if (sha256 !== undefined && !isChecked(entry, options)) {
      await new HashedSource(source, sha256).settle();
    }
    const note = state === 'offline' ? offline : undefined;
    return { source: fromCache(source, url, remove, release, note) };
  } catch (error) {
    await source.close();
    if (isAbort(error)) {
      throw error;
    }
    await remove();
    return { why: damagedCopy(url, 'it has another SHA-256 than the file') };
  }
}

function wrongSize({ facts, bytes }: CacheEntry, { hub }: CachedOptions): string | undefined {
  const size = hub?.size ?? facts.size;
  return bytes === size ? undefined : `it has ${bytes} bytes instead of ${size}`;
}

function damagedCopy(url: string, fault: string): string {
  return `The kept copy of ${url} is damaged: ${fault}. The file is downloaded again.`;
}

/** Whether the cache itself compares the bytes with the SHA-256 that it recorded, which is faster. */
function isChecked({ facts, isIntact }: CacheEntry, { sha256, verify }: CachedOptions): boolean {
  const isWanted = sha256 === undefined ? verify === true : facts.sha256 === sha256;
  return isWanted && isIntact !== undefined;
}

async function isAltered(entry: CacheEntry, options: CachedOptions): Promise<boolean> {
  return isChecked(entry, options) && !(await entry.isIntact?.(options.signal));
}

/** Whether the cached file is up to date, by its name or by its server. */
async function stateOf(
  url: string,
  { facts, isIntact }: CacheEntry,
  { signal, sha256, retryPolicy, hub, verify = false }: CachedOptions,
): Promise<'same' | 'changed' | 'offline'> {
  const isHashed = sha256 !== undefined && facts.sha256 === sha256;
  // The URL of a file at the hub names its version. But nothing tells whether a copy without a SHA-256 is a copy of it.
  const isNamed = hub !== undefined && (!verify || sha256 !== undefined || isIntact !== undefined);
  if (isHashed || isNamed) {
    return 'same';
  }
  return compare(new Remote(url, signal, retryPolicy, hub), facts);
}

/** Asks the server whether the cached file is up to date. This downloads at most one byte. */
async function compare(
  remote: Remote,
  { version = '', size }: CacheFacts,
): Promise<'same' | 'changed' | 'offline'> {
  // Another origin would first be asked for permission to send this header, and might deny it. With If-Modified-Since,
  // servers also confirm a file that became older.
  const etag = etagOf(version);
  const isSent = etag !== undefined && !isOtherOrigin(remote.url);
  const condition: Record<string, string> = isSent ? { 'if-none-match': etag } : {};
  let response: Response;
  try {
    response = await remote.ask({ range: 'bytes=0-0', ...condition });
  } catch (error) {
    if (isAbort(error)) {
      throw error;
    }
    return 'offline';
  }
  await response.body?.cancel();
  const { ok, status } = response;
  if (status === 304 && condition['if-none-match']) {
    return 'same';
  }
  // An empty file has no first byte.
  if (!ok && status !== 416) {
    throw remote.badStatus(response);
  }
  return isSameVersion(version, response) && (sizeIn(response) ?? (ok ? size : 0)) === size
    ? 'same'
    : 'changed';
}

function fromCache(
  source: ByteSource,
  url: string,
  remove: () => Promise<boolean>,
  release: Release,
  note: string | undefined,
): ByteSource {
  let isBad = false;
  const failed = (error: unknown) => {
    if (isAbort(error)) {
      throw error;
    }
    isBad = true;
    throw damaged(url, error);
  };
  return {
    size: source.size,
    phase: 'load',
    seekable: true,
    cached: true,
    note,
    read: (offset, length) => source.read(offset, length).catch(failed),
    stream: async function* (begin, end) {
      try {
        yield* source.stream(begin, end);
      } catch (error) {
        failed(error);
      }
    },
    measure: () => source.measure(),
    settle: async () => source.settle?.().catch(failed),
    close: async () => {
      try {
        await source.close();
        // Readers do not exclude each other, but what they read is damaged, too.
        if (isBad) {
          await remove();
        }
      } finally {
        await release();
      }
    },
  };
}

async function uncached(url: string, options: CachedOptions, note?: string): Promise<ByteSource> {
  return checkedSource(await openHttp(url, options), options, note);
}

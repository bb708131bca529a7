// A URL with a cache. A complete cached file is used if the server confirms its version. An incomplete one is
// continued. Complete downloads are cached while they arrive. If caching fails, `note` says why and the download goes
// on. A damaged file is removed, and the job starts again.
import { isAbort } from '../../base/errors.ts';
import type { ByteSource } from '../base/byte-source.ts';
import { checkedSource, HashedSource } from '../base/hashed.ts';
import { etagOf, isSameVersion, sizeIn } from '../http/answer.ts';
import { openHttp } from '../http/http.ts';
import { Remote } from '../http/remote.ts';
import { isOtherOrigin } from '../http/url.ts';
import { type CachedOptions, damaged, Keeping, notKept } from './keeping.ts';
import { type CacheFacts, type CacheStore, hasRightSize, keyOf, type Release } from './store.ts';

const busy = 'Another job uses this file; this download is not kept.';
const offline =
  'The server cannot be asked whether the file is still the same; the kept copy is used.';

export async function openCached(url: string, options: CachedOptions): Promise<ByteSource> {
  const key = await keyOf(url);
  // A lock would make the directory.
  const { store, whole, keeps = true } = options;
  if (!keeps && !(await store.find(key))) {
    return uncached(url, options);
  }
  const shared = await lock(store, key, 'shared');
  let seen: CacheFacts | undefined;
  if (typeof shared === 'function') {
    seen = (await store.find(key))?.facts;
    const kept = await orRelease(shared, () => openKept(url, key, options, shared));
    if (kept) {
      return kept;
    }
    await shared();
  }
  if (!whole || !keeps) {
    return uncached(url, options);
  }
  const release = await lock(store, key, 'exclusive');
  if (typeof release === 'string') {
    return uncached(url, options, release);
  }
  const now = (await orRelease(release, () => store.find(key)))?.facts;
  if (now?.complete && now.storedAt !== seen?.storedAt) {
    // Meanwhile another job has stored the file.
    await release();
    return openCached(url, options);
  }
  const keeping = new Keeping(url, key, options, release);
  return orRelease(
    () => keeping.end(),
    () => keeping.open(),
  );
}

/** The lock, or a note why there is none. */
async function lock(
  store: CacheStore,
  key: string,
  mode: 'shared' | 'exclusive',
): Promise<Release | string> {
  try {
    return (await store.lock(key, mode)) ?? busy;
  } catch (error) {
    if (isAbort(error)) {
      throw error;
    }
    return notKept(error);
  }
}

async function orRelease<T>(release: Release, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await release();
    throw error;
  }
}

/** The cached file, if it is complete and up to date. */
async function openKept(
  url: string,
  key: string,
  { store, signal, sha256, retryPolicy, hub, asks = false }: CachedOptions,
  release: Release,
): Promise<ByteSource | undefined> {
  const entry = await store.find(key);
  if (!entry?.facts.complete || entry.facts.url !== url || !hasRightSize(entry)) {
    return undefined;
  }
  const isHashed = sha256 !== undefined && entry.facts.sha256 === sha256;
  // The URL of a file at the hub names its version.
  const isNamed = isHashed || (hub !== undefined && !asks);
  const state = isNamed
    ? 'same'
    : await compare(new Remote(url, signal, retryPolicy, hub), entry.facts);
  if (state === 'changed') {
    return undefined;
  }
  const source = await entry.open(signal);
  const remove = () => store.remove(key);
  try {
    // Before the job sees a byte: a damaged file could look like a bad model.
    if (sha256 !== undefined) {
      await new HashedSource(source, sha256).settle();
    }
    return fromCache(source, url, remove, release, state === 'offline' ? offline : undefined);
  } catch (error) {
    await source.close();
    if (isAbort(error)) {
      throw error;
    }
    await remove();
    return undefined;
  }
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

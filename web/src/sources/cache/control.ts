// The public calls of the cache: list, size, delete.

import { checked } from '../../base/call.ts';
import { address, text } from '../../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../../base/options.ts';
import type { WireSource } from '../base/wire.ts';
import { type CacheStore, keyOf } from './store.ts';
import type { CacheControl, CacheDirectory, CachedFile } from './types.ts';

/** All caches on this machine. */
export type Stores = (directory?: string) => Promise<readonly CacheStore[]>;

/** The source that a string or a URL means on this platform. */
type Locate = (source: string | URL) => WireSource;

const directoryNames: OptionNames<CacheDirectory> = { directory: text };

/** `load` fetches the code of the stores, which most pages do not need. */
export function cacheControl(locate: Locate, load: () => Promise<Stores>): CacheControl {
  const storesOf = async (where: CacheDirectory = {}) => {
    await refuseUnknown(where, directoryNames);
    return (await load())(where.directory);
  };

  async function list(where?: CacheDirectory): Promise<CachedFile[]> {
    const lists = (await storesOf(where)).map(filesIn);
    return (await Promise.all(lists)).flat();
  }

  return {
    list: checked(list),
    size: checked(async (where) => (await list(where)).reduce((sum, { bytes }) => sum + bytes, 0)),
    delete: checked(
      async (url, where) => {
        const place = locate(url);
        if (place.kind !== 'url') {
          return false;
        }
        const key = await keyOf(place.url);
        const stores = await storesOf(where);
        const removed = await Promise.all(stores.map((store) => remove(store, key)));
        return removed.includes(true);
      },
      { url: address },
    ),
    clear: checked(async (where) => {
      for (const store of await storesOf(where)) {
        for (const key of await store.keys()) {
          await remove(store, key);
        }
      }
    }),
  };
}

async function filesIn(store: CacheStore): Promise<CachedFile[]> {
  const files: CachedFile[] = [];
  for (const key of await store.keys()) {
    const entry = await store.find(key);
    if (!entry) {
      continue;
    }
    const { url, size, complete, storedAt } = entry.facts;
    files.push({ url, bytes: entry.bytes, size: size ?? null, complete, storedAt });
  }
  return files;
}

/** False when there is no such file, or when a job uses it. */
async function remove(store: CacheStore, key: string): Promise<boolean> {
  const release = await store.lock(key, 'exclusive');
  if (!release) {
    return false;
  }
  try {
    return await store.remove(key);
  } finally {
    await release();
  }
}

// Chooses the cache of a browser: the origin-private file system if workers can write it, else the Cache API, else
// none.

import { OpfsStore } from './cache/opfs.ts';
import { canWriteFiles, writeOpfs } from './cache/worker-opfs.ts';
import type { StoreFor } from './open-cached.ts';
import { responseStore } from './response-store.ts';

export const browserStore: StoreFor = async (cache) => {
  const isPlain = typeof cache !== 'object' || cache.directory === undefined;
  const files = isPlain && canWriteFiles() ? await OpfsStore.open(writeOpfs) : undefined;
  return files ?? responseStore(cache);
};

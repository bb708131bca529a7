// Chooses the cache of a browser: the origin-private file system if workers can write it, else the Cache API, else
// none.
import type { StoreFor } from './open-cached.ts';
import { OpfsStore } from './opfs.ts';
import { responseStore } from './response-store.ts';
import { canWriteFiles, writeOpfs } from './worker-opfs.ts';

export const browserStore: StoreFor = async (cache) => {
  const isPlain = typeof cache !== 'object' || cache.directory === undefined;
  const files = isPlain && canWriteFiles() ? await OpfsStore.open(writeOpfs) : undefined;
  return files ?? responseStore(cache);
};

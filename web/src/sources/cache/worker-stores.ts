// Chooses the cache of a browser: the origin-private file system if workers can write it, else the Cache API, else
// none.
import { AmbryError } from '../../errors.ts';
import type { StoreFor } from './open-cached.ts';
import { OpfsStore } from './opfs.ts';
import { ResponseStore } from './responses.ts';
import { canWriteFiles, writeOpfs } from './worker-opfs.ts';

export const browserStore: StoreFor = async (cache) => {
  if (typeof cache === 'object' && cache.directory !== undefined) {
    const message = 'A browser has no directory to keep files in; set `cache` to true.';
    throw new AmbryError('BadValue', message, { path: 'cache' });
  }
  const files = canWriteFiles() ? await OpfsStore.open(writeOpfs) : undefined;
  return files ?? ResponseStore.open();
};

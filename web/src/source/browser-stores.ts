// Where a browser keeps downloads: in its private files where workers can write those, else in the
// Cache API, else nowhere.
import { AmbryError } from '../errors.ts';
import { OpfsStore } from './cache-opfs.ts';
import { canWriteFiles, writeOpfs } from './cache-opfs-writer.ts';
import { ResponseStore } from './cache-responses.ts';
import type { StoreFor } from './open-cached.ts';

export const browserStore: StoreFor = async (cache) => {
  if (typeof cache === 'object') {
    const message = 'A browser has no directory to keep files in; set `cache` to true.';
    throw new AmbryError('BadValue', message, { path: 'cache' });
  }
  const files = canWriteFiles() ? await OpfsStore.open(writeOpfs) : undefined;
  return files ?? ResponseStore.open();
};

// The cache of a browser where no files can be written.
import { AmbryError } from '../base/errors.ts';
import { ResponseStore } from './cache/responses.ts';
import type { StoreFor } from './open-cached.ts';

export const responseStore: StoreFor = async (cache) => {
  if (typeof cache === 'object' && cache.directory !== undefined) {
    const message = 'A browser has no directory to keep files in; set `cache` to true.';
    throw new AmbryError('BadValue', message, { path: 'cache' });
  }
  return ResponseStore.open();
};

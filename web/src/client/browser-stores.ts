// The places where this page's workers keep files.
import { OpfsStore } from '../source/cache-opfs.ts';
import { ResponseStore } from '../source/cache-responses.ts';
import type { Stores } from './cache.ts';

export const stores: Stores = async () => {
  const places = [await OpfsStore.open(), await ResponseStore.open()];
  return places.filter((place) => place !== undefined);
};

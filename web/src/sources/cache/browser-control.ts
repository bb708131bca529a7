// The caches of this page's origin.

import type { Stores } from './control.ts';
import { OpfsStore } from './opfs.ts';
import { ResponseStore } from './responses.ts';

export const stores: Stores = async () => {
  const places = [await OpfsStore.open(), await ResponseStore.open()];
  return places.filter((place) => place !== undefined);
};

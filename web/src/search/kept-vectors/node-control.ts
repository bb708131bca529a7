// The kept vectors of this machine's user.

import { vectorCacheControl } from './control.ts';
import { list, remove } from './node-store.ts';

export const control = vectorCacheControl(() => Promise.resolve({ list, remove }));

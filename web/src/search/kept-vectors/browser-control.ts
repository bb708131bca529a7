// The kept vectors of this page's origin.

import { vectorCacheControl } from './control.ts';
import { list, remove } from './opfs.ts';

export const control = vectorCacheControl(() => Promise.resolve({ list, remove }));

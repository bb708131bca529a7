// The kept vectors of this page's origin.
import { list, remove } from '../source/vectors-opfs.ts';
import { vectorCacheControl } from './vector-caches.ts';

export const control = vectorCacheControl(() => Promise.resolve({ list, remove }));

// The kept vectors of this machine's user.
import { list, remove } from '../source/node-vectors.ts';
import { vectorCacheControl } from './vector-caches.ts';

export const control = vectorCacheControl(() => Promise.resolve({ list, remove }));

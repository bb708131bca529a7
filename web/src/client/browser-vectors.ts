// The kept vectors of this page's origin.
import * as files from '../source/vectors-opfs.ts';
import { vectorCacheControl } from './vector-caches.ts';

export const control = vectorCacheControl(() => Promise.resolve(files));

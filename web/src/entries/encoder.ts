// `ambry/encoder`: sentence encoders, rerankers, and indexes for them.
import { pagePlatform } from '../platform/page-platform.ts';
import { encoderEntry } from './encoder-entry.ts';

export { AmbryError } from '../base/errors.ts';
export type { Encoder } from '../encoder/client.ts';
export type { Reranker } from '../reranker/client.ts';
export type { SearchIndex } from '../search/search-index.ts';
export type * from './types.ts';

const page = pagePlatform({
  'encoder-small': () =>
    new Worker(new URL('./workers/encoder-small-worker.js', import.meta.url), { type: 'module' }),
  'encoder-small-cached': () =>
    new Worker(new URL('./workers/encoder-small-cached-worker.js', import.meta.url), {
      type: 'module',
    }),
  encoder: () =>
    new Worker(new URL('./workers/encoder-worker.js', import.meta.url), { type: 'module' }),
  'static-small': () =>
    new Worker(new URL('./workers/static-small-worker.js', import.meta.url), { type: 'module' }),
  static: () =>
    new Worker(new URL('./workers/static-worker.js', import.meta.url), { type: 'module' }),
  'kept-vectors': () =>
    new Worker(new URL('./workers/kept-vectors-worker.js', import.meta.url), { type: 'module' }),
});

export const { open, openReranker, createIndex, loadIndex } = encoderEntry(page);

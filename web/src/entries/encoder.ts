// `ambry/encoder`: sentence encoders, rerankers, and indexes for them.
import { pagePlatform } from '../workers/page-platform.ts';
import { encoderEntry } from './encoder-entry.ts';

export { AmbryError } from '../base/errors.ts';
export type { Encoder, Reranker, SearchIndex } from '../index.ts';
export type * from '../types.ts';

const page = pagePlatform({
  encoder: () =>
    new Worker(new URL('../workers/encoder-worker.js', import.meta.url), { type: 'module' }),
  'encoder-cached': () =>
    new Worker(new URL('../workers/encoder-cached-worker.js', import.meta.url), { type: 'module' }),
  encode: () =>
    new Worker(new URL('../workers/encode-worker.js', import.meta.url), { type: 'module' }),
  'static-encoder': () =>
    new Worker(new URL('../workers/static-encoder-worker.js', import.meta.url), { type: 'module' }),
  'static-encode': () =>
    new Worker(new URL('../workers/static-encode-worker.js', import.meta.url), { type: 'module' }),
  'kept-vectors': () =>
    new Worker(new URL('../workers/kept-vectors-worker.js', import.meta.url), { type: 'module' }),
});

export const { open, openReranker, createIndex, loadIndex } = encoderEntry(page);

// `ambry/static-encoder`: static encoders alone.
import { pagePlatform } from '../workers/page-platform.ts';
import { openStatic } from './static-encoder-entry.ts';

export { AmbryError } from '../base/errors.ts';
export type { Encoder } from '../index.ts';
export type * from '../types.ts';

const page = pagePlatform({
  'static-encoder': () =>
    new Worker(new URL('../workers/static-encoder-worker.js', import.meta.url), { type: 'module' }),
  'static-encode': () =>
    new Worker(new URL('../workers/static-encode-worker.js', import.meta.url), { type: 'module' }),
});

export const open = openStatic(page);

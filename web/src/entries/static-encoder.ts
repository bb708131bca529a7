// `ambry/static-encoder`: static encoders alone.
import { pagePlatform } from '../platform/page-platform.ts';
import { openStatic } from './static-encoder-entry.ts';

export { AmbryError } from '../base/errors.ts';
export type { Encoder } from '../encoder/client.ts';
export type * from './types.ts';

const page = pagePlatform({
  'static-small': () =>
    new Worker(new URL('./workers/static-small-worker.js', import.meta.url), { type: 'module' }),
  static: () =>
    new Worker(new URL('./workers/static-worker.js', import.meta.url), { type: 'module' }),
});

export const open = openStatic(page);

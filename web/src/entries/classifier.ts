// `ambry/classifier`: networks that classify pictures.
import { pagePlatform } from '../platform/page-platform.ts';
import { openOfKind } from './open-of-kind.ts';

export { AmbryError } from '../base/errors.ts';
export type { Classifier } from '../classifier/client.ts';
export type * from './types.ts';

const page = pagePlatform({
  'image-classifier': () =>
    new Worker(new URL('./workers/image-classifier-worker.js', import.meta.url), {
      type: 'module',
    }),
});

export const open = openOfKind(page, 'classifier');

// `ambry/text-classifier`: classifiers of texts.
import { pagePlatform } from '../platform/page-platform.ts';
import { openOfKind } from './open-of-kind.ts';

export { AmbryError } from '../base/errors.ts';
export type { TextClassifier } from '../text-classifier/client.ts';
export type * from './types.ts';

const page = pagePlatform({
  'text-classifier': () =>
    new Worker(new URL('./workers/text-classifier-worker.js', import.meta.url), {
      type: 'module',
    }),
});

export const open = openOfKind(page, 'textClassifier');

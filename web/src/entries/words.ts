// `ambry/words`: word vectors.
import { pagePlatform } from '../platform/page-platform.ts';
import { openOfKind } from './open-of-kind.ts';

export { AmbryError } from '../base/errors.ts';
export type { WordVectors } from '../words/client.ts';
export type * from './types.ts';

const page = pagePlatform({
  words: () =>
    new Worker(new URL('./workers/words-worker.js', import.meta.url), { type: 'module' }),
});

export const open = openOfKind(page, 'words');

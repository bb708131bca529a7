// `ambry/generator`: language models.
import { pagePlatform } from '../platform/page-platform.ts';
import { openOfKind } from './open-of-kind.ts';

export { AmbryError } from '../base/errors.ts';
export type { Generator } from '../generator/client.ts';
export type { ChatSession } from '../generator/session.ts';
export type * from './types.ts';

const page = pagePlatform({
  generator: () =>
    new Worker(new URL('./workers/generator-worker.js', import.meta.url), { type: 'module' }),
  'chat-template': () =>
    new Worker(new URL('./workers/chat-template-worker.js', import.meta.url), { type: 'module' }),
});

export const open = openOfKind(page, 'generator');

// The browser's platform: the packaged workers that a page can start. The URLs are spelled out so that bundlers see them.

import { pagePlatform } from '../platform/page-platform.ts';
import type { Platform } from '../platform/platform.ts';

const inspect = () =>
  new Worker(new URL('./workers/inspect-worker.js', import.meta.url), { type: 'module' });
const convert = () =>
  new Worker(new URL('./workers/convert-worker.js', import.meta.url), { type: 'module' });

/** A page that has converted has downloaded that worker, which also inspects. */
let hasConverted = false;

const scripts = {
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
  vectors: () =>
    new Worker(new URL('./workers/vectors-worker.js', import.meta.url), { type: 'module' }),
  words: () =>
    new Worker(new URL('./workers/words-worker.js', import.meta.url), { type: 'module' }),
  'image-classifier': () =>
    new Worker(new URL('./workers/image-classifier-worker.js', import.meta.url), {
      type: 'module',
    }),
  'text-classifier': () =>
    new Worker(new URL('./workers/text-classifier-worker.js', import.meta.url), { type: 'module' }),
  generator: () =>
    new Worker(new URL('./workers/generator-worker.js', import.meta.url), { type: 'module' }),
  'chat-template': () =>
    new Worker(new URL('./workers/chat-template-worker.js', import.meta.url), { type: 'module' }),
  all: () => new Worker(new URL('./workers/worker.js', import.meta.url), { type: 'module' }),
  inspect: () => (hasConverted ? convert() : inspect()),
  tokenizer: () =>
    new Worker(new URL('./workers/tokenizer-worker.js', import.meta.url), { type: 'module' }),
  convert: () => {
    hasConverted = true;
    return convert();
  },
};

export const browser: Platform = pagePlatform(scripts, () => import('./workers/in-thread.ts'));

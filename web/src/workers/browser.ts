// The browser's platform: the packaged workers that a page can start. The URLs are spelled out so that bundlers see them.
import type { Platform } from '../runtime/platform.ts';
import { pagePlatform } from './page-platform.ts';

const inspect = () =>
  new Worker(new URL('./inspect-worker.js', import.meta.url), { type: 'module' });
const convert = () =>
  new Worker(new URL('./convert-worker.js', import.meta.url), { type: 'module' });

/** A page that has converted has downloaded that worker, which also inspects. */
let hasConverted = false;

const scripts = {
  'encoder-small': () =>
    new Worker(new URL('./encoder-small-worker.js', import.meta.url), { type: 'module' }),
  'encoder-small-cached': () =>
    new Worker(new URL('./encoder-small-cached-worker.js', import.meta.url), { type: 'module' }),
  encoder: () => new Worker(new URL('./encoder-worker.js', import.meta.url), { type: 'module' }),
  'static-small': () =>
    new Worker(new URL('./static-small-worker.js', import.meta.url), { type: 'module' }),
  static: () => new Worker(new URL('./static-worker.js', import.meta.url), { type: 'module' }),
  'kept-vectors': () =>
    new Worker(new URL('./kept-vectors-worker.js', import.meta.url), { type: 'module' }),
  vectors: () => new Worker(new URL('./vectors-worker.js', import.meta.url), { type: 'module' }),
  words: () => new Worker(new URL('./words-worker.js', import.meta.url), { type: 'module' }),
  'image-classifier': () =>
    new Worker(new URL('./image-classifier-worker.js', import.meta.url), { type: 'module' }),
  'text-classifier': () =>
    new Worker(new URL('./text-classifier-worker.js', import.meta.url), { type: 'module' }),
  generator: () =>
    new Worker(new URL('./generator-worker.js', import.meta.url), { type: 'module' }),
  'chat-template': () =>
    new Worker(new URL('./chat-template-worker.js', import.meta.url), { type: 'module' }),
  all: () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
  inspect: () => (hasConverted ? convert() : inspect()),
  tokenizer: () =>
    new Worker(new URL('./tokenizer-worker.js', import.meta.url), { type: 'module' }),
  convert: () => {
    hasConverted = true;
    return convert();
  },
};

export const browser: Platform = pagePlatform(scripts, () => import('./in-thread.ts'));

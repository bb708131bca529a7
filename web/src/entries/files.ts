// `ambry/files`: looking into model files, converting them, and tokenizers by themselves.
import { pagePlatform } from '../platform/page-platform.ts';
import { filesEntry } from './files-entry.ts';

export { AmbryError } from '../base/errors.ts';
export type { Tokenizer } from '../tokenizer/client.ts';
export type * from './types.ts';

const page = pagePlatform({
  inspect: () =>
    new Worker(new URL('./workers/inspect-worker.js', import.meta.url), { type: 'module' }),
  tokenizer: () =>
    new Worker(new URL('./workers/tokenizer-worker.js', import.meta.url), { type: 'module' }),
  convert: () =>
    new Worker(new URL('./workers/convert-worker.js', import.meta.url), { type: 'module' }),
});

export const { inspect, validate, convert, conversionTargets, openTokenizer } = filesEntry(page);

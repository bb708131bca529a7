// The browser's worker entry for tokenizers by themselves.

import { tokenizerHandlers } from '../tokenizer/worker.ts';
import { moduleTokenize } from '../wasm/module-tokenize.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleTokenize, tokenizerHandlers);

// The browser's worker entry for tokenizers by themselves.

import { tokenizerHandlers } from '../../tokenizer/worker.ts';
import { moduleTokenizer } from '../../wasm/module-tokenizer.ts';
import { serveCaching } from './serve-caching.ts';

serveCaching(moduleTokenizer, tokenizerHandlers);

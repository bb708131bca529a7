// The browser's worker entry for tokenizers by themselves.

import { serveCaching } from '../runtime/worker-serve-caching.ts';
import { tokenizerHandlers } from '../tokenizer/worker.ts';
import { moduleTokenize } from '../wasm/module-tokenize.ts';

serveCaching(moduleTokenize, tokenizerHandlers);

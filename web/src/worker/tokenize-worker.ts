// The browser's worker entry for tokenizers by themselves.

import { moduleTokenize } from './module-tokenize.ts';
import { serveCaching } from './serve-caching.ts';
import { tokenizerHandlers } from './tokenizer-handlers.ts';

serveCaching(moduleTokenize, tokenizerHandlers);

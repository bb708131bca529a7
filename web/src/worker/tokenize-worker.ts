// The browser's worker entry for tokenizers by themselves.
import { serveCaching } from './caching-worker.ts';
import { moduleTokenize } from './module-tokenize.ts';
import { tokenizerHandlers } from './tokenizer-handlers.ts';

serveCaching(moduleTokenize, tokenizerHandlers);

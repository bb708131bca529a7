import type { ModelBindings } from './model.mjs';
import type { TokensBindings } from './tokens.mjs';

/** Tokenizers by themselves, which are models of the kind `tokenizer`. */
export interface TokenizerBindings extends ModelBindings, TokensBindings {}

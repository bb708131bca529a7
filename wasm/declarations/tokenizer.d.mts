import type { ModelBindings } from './model.mjs';
import type { TokensBindings } from './tokens.mjs';
import type { OutcomeText } from './types.mjs';

/** Tokenizers by themselves, which are models of the kind `tokenizer`. */
export interface TokenizerBindings extends ModelBindings, TokensBindings {
  /** What the files beside a tokenizer say of it. `sizes` is JSON of [[name, number of bytes], …], whose bytes follow each
   *  other. `warnings` are Problems. */
  tokenizerSettings(
    sizes: string,
    bytes: Uint8Array,
  ): OutcomeText<{
    chatTemplate: string | null;
    named: Record<string, string>;
    specialTokens: Record<string, string>;
    lowercase?: boolean;
    addBos?: boolean;
    addEos?: boolean;
    warnings?: unknown[];
  }>;
}

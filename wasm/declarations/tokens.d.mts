import type { AnyModel, OutcomeText } from './types.mjs';

/** The tokenizers of opened models. */
export interface TokensBindings {
  /** Tokens. `pair` is empty bytes with hasPair false when there is none. */
  tokenize(
    model: AnyModel,
    text: Uint8Array,
    special: boolean,
    hasPair: boolean,
    pair: Uint8Array,
  ): OutcomeText<unknown>;
  /** Tokens of a text without special ones, or `most` if there are more. */
  tokenCount(model: AnyModel, text: Uint8Array, most: number): OutcomeText<number>;
  /** `ids` is a JSON array of numbers; special tokens are left out of the text when `skipSpecial`. */
  detokenize(model: AnyModel, ids: string, skipSpecial: boolean): OutcomeText<string>;
}

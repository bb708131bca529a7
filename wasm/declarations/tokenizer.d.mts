import type { OutcomeText, PartialSource, TextTokenizer } from './types.mjs';

/** Tokenizers by themselves, of any kind. */
export interface TokenizerBindings {
  /** Opens a tokenizer of any kind: from a model file with a vocabulary, a tokenizer.json, tokenizer.model or
   *  vocab.txt. */
  openTokenizer(source: PartialSource): OutcomeText<TextTokenizer>;
  /** Opens a vocab.txt, with what it does not say: whether texts are lower-cased. */
  openVocabulary(source: PartialSource, lowercase: boolean): OutcomeText<TextTokenizer>;
  /** A TokenizerInfo. */
  tokenizerInfo(tokenizer: TextTokenizer): OutcomeText<unknown>;
  /** As `tokenize` and `detokenize`, which are of an encoder's tokenizer. */
  tokenizeWith(
    tokenizer: TextTokenizer,
    text: Uint8Array,
    special: boolean,
    hasPair: boolean,
    pair: Uint8Array,
  ): OutcomeText<unknown>;
  detokenizeWith(tokenizer: TextTokenizer, ids: string, skipSpecial: boolean): OutcomeText<string>;
}

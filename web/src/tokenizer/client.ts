// A tokenizer on the caller's side: text to tokens and back.

import { type OptionNames, refuseUnknown } from '../base/options.ts';
import { checkTexts } from '../model/check-texts.ts';
import type { TokenizerInfo } from '../model/file-info.ts';
import { WorkerResource } from '../model/resource.ts';
import type { Connection } from '../runtime/connect.ts';
import type { TokenCalls } from './protocol.ts';
import type { TokenizeOptions, Tokens } from './types.ts';

const tokenizeOptionNames: OptionNames<TokenizeOptions> = { special: true, pair: true };
const detokenizeOptionNames: OptionNames<{ readonly skipSpecial?: boolean }> = {
  skipSpecial: true,
};

/** Turns text to tokens and back. */
export class Tokenizer extends WorkerResource<TokenCalls> {
  /** What the tokenizer is: type, size, special tokens. */
  readonly tokenizer: TokenizerInfo | null;

  /** @internal */
  constructor(connection: Connection<TokenCalls>, tokenizer: TokenizerInfo | null) {
    super(connection);
    this.tokenizer = tokenizer;
  }

  /** Ids, token texts, segments and offsets of a text. Special tokens are added unless `special` is false. */
  tokenize(text: string, options: TokenizeOptions = {}): Promise<Tokens> {
    const { special, pair } = options;
    checkTexts([text]);
    return (
      refuseUnknown(options, tokenizeOptionNames) ??
      this.connection.channel.call('tokenize', { text, options: { special, pair } })
    );
  }

  /** The number of tokens of each text, without special tokens. Nothing is cut, however long the text is. */
  async tokenCounts(texts: readonly string[]): Promise<Uint32Array> {
    const { tokenCounts } = await import('./token-counts.ts');
    return tokenCounts(checkTexts(texts), this.tokenizer?.type, (text) =>
      this.tokenize(text, { special: false }),
    );
  }

  /** The text of these ids, without special tokens unless `skipSpecial` is false. */
  detokenize(
    ids: Iterable<number>,
    options: { readonly skipSpecial?: boolean } = {},
  ): Promise<string> {
    const { skipSpecial = true } = options;
    return (
      refuseUnknown(options, detokenizeOptionNames) ??
      this.connection.channel.call('detokenize', { ids: [...ids], skipSpecial })
    );
  }
}

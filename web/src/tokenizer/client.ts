// A tokenizer on the caller's side: text to tokens and back.

import { checkMethods } from '../base/call.ts';
import {
  findWrong,
  flag,
  isSomeObject,
  type Kind,
  list,
  number,
  options,
  signal,
  text,
  texts,
} from '../base/kinds.ts';
import { type OptionNames, refuse, refuseUnknown } from '../base/options.ts';
import { checkTexts } from '../model/check-texts.ts';
import type { TokenizerInfo } from '../model/file-info.ts';
import { WorkerResource } from '../model/resource.ts';
import type { Connection } from '../runtime/connect.ts';
import type { TokenCalls } from './protocol.ts';
import type { TokenCountOptions, TokenizeOptions, Tokens } from './types.ts';

const tokenizeOptionNames: OptionNames<TokenizeOptions> = { special: flag, pair: text };
const tokenCountNames: OptionNames<TokenCountOptions> = { most: number, signal };
const detokenizeOptionNames: OptionNames<{ readonly skipSpecial?: boolean }> = {
  skipSpecial: flag,
};

const ids: Kind = {
  words: 'a list of token ids',
  is: (value) => isSomeObject(value) && Symbol.iterator in value,
};
const idList: Kind = {
  ...list,
  each: {
    words: 'an integer of 0 or more',
    is: (id) => Number.isSafeInteger(id) && Number(id) >= 0,
  },
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
    return (
      refuseUnknown(options, tokenizeOptionNames) ??
      this.connection.channel.call('tokenize', { text, options: { special, pair } })
    );
  }

  /**
   * The number of tokens of each text, without special tokens. Texts are not cut at the model's limit. With `most`, a text
   * with more tokens counts as `most`, and its rest is not read.
   *
   * Rejects with `BadValue` at `texts…` or `options…`, and with an `AbortError` when the signal is aborted.
   *
   * @example
   * const [count] = await model.tokenCounts(['Hello world'], { most: 512 });
   */
  async tokenCounts(
    texts: readonly string[],
    options: TokenCountOptions = {},
  ): Promise<Uint32Array> {
    await refuseUnknown(options, tokenCountNames);
    const { tokenCounts } = await import('./token-counts.ts');
    return tokenCounts(checkTexts(texts), this.tokenizer?.type, this.connection, options);
  }

  /** The text of these ids, without special tokens unless `skipSpecial` is false. */
  detokenize(
    ids: Iterable<number>,
    options: { readonly skipSpecial?: boolean } = {},
  ): Promise<string> {
    const { skipSpecial = true } = options;
    const given = [...ids];
    const wrong = findWrong(given, idList, 'ids');
    if (wrong) {
      return refuse(wrong);
    }
    return (
      refuseUnknown(options, detokenizeOptionNames) ??
      this.connection.channel.call('detokenize', { ids: given, skipSpecial })
    );
  }
}

checkMethods(Tokenizer, {
  tokenize: { text, options },
  tokenCounts: { texts, options },
  detokenize: { ids, options },
});

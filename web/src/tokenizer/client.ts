// A tokenizer on the caller's side: text to tokens and back.

import { AmbryError } from '../base/errors.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import { checkTexts } from '../model/check-texts.ts';
import type { TokenizerInfo } from '../model/file-info.ts';
import { WorkerResource } from '../model/resource.ts';
import type { Platform } from '../platform/platform.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import { type Connection, keepWorker } from '../runtime/connect.ts';
import { sourceJobNames } from '../runtime/option-names.ts';
import type { FetchOptions, ModelSource } from '../sources/base/types.ts';
import { fromHub, transferOf, wireSource } from '../sources/wire-source.ts';
import type { TokenCalls, TokenizerCalls } from './protocol.ts';
import type { TokenizeOptions, Tokens, VocabularyOptions } from './types.ts';

const tokenizeOptionNames: OptionNames<TokenizeOptions> = { special: true, pair: true };
const detokenizeOptionNames: OptionNames<{ readonly skipSpecial?: boolean }> = {
  skipSpecial: true,
};
const vocabularyOptionNames: OptionNames<VocabularyOptions> = { lowercase: true };

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

export async function openTokenizer(
  platform: Platform,
  source: ModelSource,
  options: JobOptions & RuntimeOptions & FetchOptions & VocabularyOptions,
): Promise<Tokenizer> {
  await refuseUnknown(options, { ...sourceJobNames, ...vocabularyOptionNames });
  const { lowercase } = options;
  if (lowercase !== undefined && typeof lowercase !== 'boolean') {
    const message = `Must be true or false, not ${String(lowercase)}.`;
    throw new AmbryError('BadValue', message, { path: 'lowercase' });
  }
  const given = await fromHub(source, options, 'tokenizer');
  const wire = await wireSource(platform.locate, given, options);
  return keepWorker<TokenizerCalls, Tokenizer>(platform, options, 'tokenizer', async (opened) => {
    const call = { ...options, transfer: transferOf(wire) };
    const info = await opened.channel.call('openTokenizer', { source: wire, lowercase }, call);
    return new Tokenizer(opened, info);
  });
}

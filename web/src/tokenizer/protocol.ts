// The calls that turn text to tokens and back.
import type { TokenizerInfo } from '../model/file-info.ts';
import type { WireSource } from '../sources/base/wire.ts';
import type { TokenizeOptions, Tokens } from './types.ts';

type TokenizeSettings = {
  readonly [K in keyof TokenizeOptions]?: TokenizeOptions[K] | undefined;
};

/** Workers for models with a tokenizer have these, too. */
export type TokenCalls = {
  tokenize: { in: { text: string; options: TokenizeSettings }; out: Tokens };
  detokenize: { in: { ids: readonly number[]; skipSpecial: boolean }; out: string };
};

export type TokenizerCalls = TokenCalls & {
  openTokenizer: {
    in: { source: WireSource; lowercase?: boolean | undefined };
    out: TokenizerInfo;
  };
};

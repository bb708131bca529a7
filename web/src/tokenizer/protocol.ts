// The calls that turn text to tokens and back.
import type { TokenizerInfo } from '../model/file-info.ts';
import type { NamedSource, WireSource } from '../sources/base/wire.ts';
import type { TokenEncoding, TokenizeOptions, Tokens } from './types.ts';

type TokenizeSettings = {
  readonly [K in keyof TokenizeOptions]?: TokenizeOptions[K] | undefined;
};

/** Workers for models with a tokenizer have these, too. */
export type TokenCalls = {
  tokenize: { in: { text: string; options: TokenizeSettings }; out: Tokens };
  /** The number of tokens of each text without special ones, or `most` if there are more. */
  countTokens: {
    in: { texts: readonly string[]; most: number };
    out: Uint32Array<ArrayBuffer>;
  };
  detokenize: { in: { ids: readonly number[]; skipSpecial: boolean }; out: string };
};

/** What is known of a tokenizer that was opened by itself. */
export interface OpenedTokenizer {
  readonly info: TokenizerInfo;
  /** The default. Null when there is none. */
  readonly chatTemplate: string | null;
  /** The other templates, by their names. */
  readonly named: Readonly<Record<string, string>>;
  /** Texts by role, such as `bos`. */
  readonly specialTokens: Readonly<Record<string, string>>;
}

export type TokenizerCalls = TokenCalls & {
  openTokenizer: {
    in: {
      source: WireSource;
      /** In its directory. */
      name?: string;
      /** The files of its directory that say more. */
      beside?: readonly NamedSource[];
      lowercase?: boolean | undefined;
      encoding?: TokenEncoding | undefined;
    };
    out: OpenedTokenizer;
  };
};

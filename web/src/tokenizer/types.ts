// Text to tokens.
export interface Tokens {
  readonly ids: readonly number[];
  readonly tokens: readonly string[];
  /** Segment of each token: 0, or 1 for the second text of a pair. */
  readonly typeIds: readonly number[];
  /** `[start, end)` of each token in UTF-16 code units of its text; `[0, 0]` for added specials. */
  readonly offsets: readonly (readonly [number, number])[];
  /** `[start, end)` of each token in bytes of the text's UTF-8. */
  readonly byteOffsets: readonly (readonly [number, number])[];
}

export interface TokenizeOptions {
  /** Add the special tokens that the model wants around a text, such as [CLS] and [SEP]; true when absent. */
  readonly special?: boolean;
  /** A second text, for models that take pairs. */
  readonly pair?: string;
}

export interface TokenCountOptions {
  /** A text with more tokens counts as this many, and its rest is not read. No limit when absent. */
  readonly most?: number;
  readonly signal?: AbortSignal;
}

/** What a `vocab.txt` does not say. */
export interface VocabularyOptions {
  /**
   * Whether the model of a `vocab.txt` is uncased: its texts are lower-cased and lose their accents. When absent, this is
   * assumed, with a warning. A tokenizer whose files state it refuses the option with `BadValue`.
   */
  readonly lowercase?: boolean;
}

/**
 * How a tiktoken file is read, which has tokens and ranks only: the name of an encoding, or what tiktoken's own class takes.
 * `pattern` is the expression that splits texts, which must be that of a known encoding, and `specialTokens` has ids by text.
 */
export type TokenEncoding =
  | string
  | { readonly pattern: string; readonly specialTokens?: Readonly<Record<string, number>> };

/** What the file of a tokenizer does not say. */
export interface TokenizerFileOptions extends VocabularyOptions {
  /**
   * The encoding of a tiktoken file: `cl100k_base`, `o200k_base`, `llama3` and others, which the error for an unknown name
   * lists. When absent, the last rank tells it, with a warning where several encodings end there. Any other file refuses the
   * option with `BadValue`.
   */
  readonly encoding?: TokenEncoding;
}

// What every model file says of itself.

import type { Problem } from '../base/problem.ts';

export interface TensorInfo {
  readonly name: string;
  /** `f32`, `f16`, `bf16`, `i8`, … */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Absolute byte offset in the file. */
  readonly offset: number;
  readonly bytes: number;
}

export interface TokenizerInfo {
  /** `wordpiece`, `bpe`, `sentencepiece_bpe`, `sentencepiece_unigram`, `unigram` (of a tokenizer.json), `words` or
   *  `custom`. */
  readonly type: string;
  /** Number of tokens. */
  readonly size: number;
  /** Special tokens by role: `{pad: 0, unk: 100, cls: 101, sep: 102, mask: 103}`. */
  readonly special: Readonly<Record<string, number>>;
  /** WordPiece only: whether texts are lower-cased. */
  readonly lowercase?: boolean;
  /** The name of a tiktoken file's encoding, such as `cl100k_base`. */
  readonly encoding?: string;
  /** What `openTokenizer` assumed because the file does not say it (that a `vocab.txt` is of an uncased model, the encoding of
   *  a tiktoken file, how a GGUF file cuts words), and the templates for conversations that it left out. */
  readonly warnings?: readonly Problem[];
}

export interface FileInfo {
  /** The format's id, such as `embd` or `safetensors`. */
  readonly format: string;
  /** The format in which an opened model runs that was converted. `format` is that of the source then, and all other
   *  facts are those of the converted file. */
  readonly convertedTo?: string;
  /** What the conversion left out or guessed. */
  readonly warnings?: readonly Problem[];
  readonly version: string;
  readonly bytes: number;
  /** What the file says in its own words. Integers beyond ±(2^53 − 1) are `bigint`, for which `JSON.stringify` needs a
   *  function that replaces them. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The facts of the model's architecture, with the same names for all formats. Null when the file has none. */
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly tokenizer: TokenizerInfo | null;
  readonly tensors: readonly TensorInfo[];
}

// What a file holds.
import type { ClassifierInfo } from '../classifier/types.ts';
import type { GeneratorInfo } from '../generator/types.ts';
import type { WordsInfo } from '../words/types.ts';
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
  /** `wordpiece`, `bpe`, `sentencepiece_bpe`, `sentencepiece_unigram`, `words` or `custom`. */
  readonly type: string;
  /** Number of tokens. */
  readonly size: number;
  /** Special tokens by role: `{pad: 0, unk: 100, cls: 101, sep: 102, mask: 103}`. */
  readonly special: Readonly<Record<string, number>>;
}

export interface FileInfo {
  /** Registry id: `embd`, `safetensors`. */
  readonly format: string;
  readonly version: string;
  readonly bytes: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The model's architecture facts in one vocabulary over all formats; null when it has none. */
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly tokenizer: TokenizerInfo | null;
  readonly tensors: readonly TensorInfo[];
  /** Of an opened network for pictures. */
  readonly classifier?: ClassifierInfo;
  /** Of an opened model that generates text. */
  readonly generator?: GeneratorInfo;
  /** Of opened word vectors. */
  readonly words?: WordsInfo;
}

/** One part of the file. `section`: what its name says (`header`, `metadata`, …); `tensor`: the bytes of
 *  the tensor of this name; `padding`: the few bytes before something aligned; `unclaimed`: a longer
 *  run of bytes that nothing in the file points to. The last two have the name ''. */
export interface FileRegion {
  readonly kind: 'section' | 'tensor' | 'padding' | 'unclaimed';
  readonly name: string;
  /** Absolute byte offset in the file. */
  readonly offset: number;
  readonly bytes: number;
}

/** Bytes of memory that running the model takes, estimated: weights, vocabulary and working space. */
export interface MemoryEstimate {
  /** With the weights as `open` holds them by default. */
  readonly asStored: number;
  /** With `{weights: 'int8'}`. */
  readonly int8: number;
}

/** What `inspect` says of a file. */
export interface Inspection extends FileInfo {
  /** The whole file in order of offset. In a sound file the regions follow one another from byte 0 to
   *  the last; in a damaged one they may overlap or pass the end. Empty parts are left out. */
  readonly regions: readonly FileRegion[];
  /** Null when the file holds no model that can run. */
  readonly memory: MemoryEstimate | null;
  /** The metadata as TOML text, whose numbers keep their types (1.0 is not 1); '' when there are none. */
  readonly metadataToml: string;
}

// Opening a model.
import type { KeyValueType } from '../generator/types.ts';
import type { FetchOptions, JobOptions, RuntimeOptions } from '../rpc/types.ts';

/** How weights are held for running. `as-stored` keeps int8 as int8 and widens an encoder's f16 and bf16 to f32. An
 *  encoder's int8 weights meet activations as whole numbers: of 14 bits in the baseline build; in the relaxed one of
 *  8 bits where the processor multiplies these exactly (x86 with VNNI, ARM) and else of 7, so that a vector's last
 *  digits depend on the machine (unless `deterministic`). `f32` does without, in four times the memory. Quantized
 *  weights of a model that generates text meet activations of 8 bits, the same on every machine; with `f32`, floats:
 *  several times as slowly, in the same memory. Such a model cannot be held as `int8`. */
export type WeightStorage = 'as-stored' | 'int8' | 'f32';

export interface OpenOptions extends JobOptions, RuntimeOptions, FetchOptions {
  readonly weights?: WeightStorage;
  /** `words`, `classifier`, `generator`: the file holds word vectors, a network for pictures or a model that generates
   *  text, and a page loads code for nothing else; without it such files are known, too, but for networks in a
   *  stream. `range`, for word vectors: reads the vocabulary, and rows when somebody asks for them, so that a page
   *  need not download the rest. Queries over all words then take quantized vectors, whose codes are read first. A
   *  URL's server must answer ranges. */
  readonly mode?: 'whole' | 'range' | 'words' | 'classifier' | 'generator';
  /** Of a model that generates text: how it keeps what it saw; `f32` when absent. */
  readonly kv?: KeyValueType;
  /** Tokens of prompt and answer together, at most: fewer than the model could take need less memory. */
  readonly context?: number;
  /** Runs a model of text in so many bytes of memory, by reading its layers anew for every pass: slowly, and as
   *  `info.generator.streaming` estimates. A URL's server must answer ranges. */
  readonly resident?: number;
}

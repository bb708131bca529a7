// Opening a model.
import type { Problem } from '../base/problem.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions } from '../sources/base/types.ts';
import type { QuantizeType } from '../wasm/tables.ts';
import type { Adapters } from './adapter-types.ts';
import type { Embedder } from './embedding.ts';
import type { ModelKind } from './kind.ts';

/** How weights are held in memory. `as-stored` keeps int8 as int8 and widens an encoder's f16 and bf16 to f32.
 *
 *  Encoders with int8 weights also quantize the activations, to 7 bits. Models that generate text quantize them to 8
 *  bits, with some to 14. Both give the same numbers, to the last bit, on every machine and in every engine. With f32
 *  weights an encoder's numbers differ by less than 1e-6, unless `deterministic` is set.
 *
 *  `f32` keeps activations as floats. An encoder then takes four times the memory; a model that generates text takes
 *  the same memory and several times as long. `int8` is for encoders only.
 *
 *  The first is the default. */
export const weightStorages = ['as-stored', 'int8', 'f32'] as const;
export type WeightStorage = (typeof weightStorages)[number];

/** How keys and values of earlier tokens are kept. `int8` takes about a quarter of `f32`, and changes logits a little.
 *  The first is the default. */
export const keyValueTypes = ['f32', 'f16', 'int8'] as const;
export type KeyValueType = (typeof keyValueTypes)[number];

/** Where the passes of a language model are computed. The first is the default. */
export const devices = ['wasm', 'webgpu', 'auto'] as const;
export type Device = (typeof devices)[number];

/** The architectures of encoders that have a worker of their own. */
export const encoderArchitectures = ['static'] as const;
export type EncoderArchitecture = (typeof encoderArchitectures)[number];

export interface OpenOptions extends JobOptions, RuntimeOptions, FetchOptions {
  /** What the file holds. `open` then returns that kind of model and downloads code for nothing else. Without it
   *  `open` finds out by itself; only an image classifier in a stream needs it. Where a file allows several kinds, this one
   *  wins: `encoder` opens an encoder with a head as an encoder, and `fillMask` a masked language model as what fills in
   *  missing words, which is an encoder otherwise. `sparseEncoder` makes a sparse encoder of such a model. */
  readonly kind?: ModelKind;
  /** `static` says that the address holds a static encoder, so that a page starts its small worker at once. Without it,
   *  the worker for transformers is started, looks at the file, and leaves it to the other. The result is the same. */
  readonly architecture?: EncoderArchitecture;
  readonly weights?: WeightStorage;
  /** `range` is for word vectors. It reads the vocabulary at once, and rows when a call needs them, so that a page
   *  does not download the rest. Searches over all words then need quantized vectors, whose codes are read first. A
   *  URL's server must answer range requests and name the file's version (ETag or Last-Modified). The default is
   *  `whole`. */
  readonly mode?: 'whole' | 'range';
  /** Stores the weights in fewer bits while the model is opened, with the defaults of `quantize`: `int8` for sentence
   *  encoders and models that generate text, `pq` for word vectors, and more. The whole source is read. A model that is
   *  opened more than once is better quantized once. */
  readonly quantize?: QuantizeType;
  /** LoRA adapters, which are merged into the weights while the model is opened: for sentence encoders and models that generate
   *  text. The whole source is read. Quantized weights are decoded, merged and stored in their types again, unless
   *  `quantize` says another; a warning says so. An adapter that does not fit the model is refused. */
  readonly adapter?: Adapters;
  /** For models that generate text: how keys and values are kept. The default is `f32`. */
  readonly kv?: KeyValueType;
  /** For models that generate text: the greatest number of tokens of prompt and answer together. Fewer tokens than
   *  the model allows take less memory. */
  readonly context?: number;
  /** For models that generate text: the bytes of memory that the weights may take. The layers are read again for
   *  every pass, so this is slow; `info.generator.streaming` estimates how slow. A URL's server must answer range
   *  requests and name the file's version. */
  readonly resident?: number;
  /** For models that generate text: where they are computed. `webgpu` takes the graphics processor, if it computes the same as
   *  WebAssembly: `open` compares each layer. Where it does not, or there is none, WebAssembly computes, `onWarning` is told
   *  why, and `info.generator.device` says so. `auto` takes it only where it was faster, too. The source is read by range,
   *  so a stream is refused. Keys and values are f32 there. The default is `wasm`. */
  readonly device?: Device;
  /** For models that generate text: the number of threads, from 1 to 64. The numbers are the same for each. Threads need
   *  `SharedArrayBuffer`, which Node has, and pages that are cross-origin isolated; elsewhere there is one. The default
   *  is half of the logical processors, at most 4, and 1 for models below 16 MB. */
  readonly threads?: number;
  /** For classifiers that were trained on examples (`createClassifier`): the encoder that they were trained with, which stays
   *  open when the classifier is disposed of; or a function that opens it from what the file says of it, and then both are
   *  disposed of together. Any other encoder is refused with `Mismatch`. */
  readonly encoder?: Embedder | ((wanted: ClassifierEncoder) => Promise<Embedder>);
  /** Called with each thing that the conversion of the source left out or guessed, and with the reason when a download is not
   *  kept that `cache` asks for. */
  readonly onWarning?: (warning: Problem) => void;
}

/** The encoder of a trained classifier, as the classifier's file describes it. */
export interface ClassifierEncoder {
  /** The location of the encoder, as given to `save`: an address, or a path relative to the file. */
  readonly reference: string | null;
  readonly format: string;
  /** The length of its vectors. */
  readonly dim: number;
}

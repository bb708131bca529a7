// The public vocabulary of the package: options, results and progress. Plain data only; this file
// and errors.ts are the only ones shared by the page's side and the worker's side.

/** Where a model file comes from. A string is a URL; in Node also a path. */
export type ModelSource =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | Uint8Array
  | ReadableStream<Uint8Array>
  | { readonly path: string };

/** How weights are held for running. `as-stored` keeps int8 as int8 and widens f16 and bf16 to f32. */
export type WeightStorage = 'as-stored' | 'int8' | 'f32';

/** One monotone report for long work. `total` is 0 while unknown; units are bytes, texts or tensors, and
 *  thousandths for `train`, which comes before `convert` where centroids are learnt. */
export interface Progress {
  readonly phase: 'download' | 'load' | 'validate' | 'train' | 'convert' | 'embed';
  readonly loaded: number;
  readonly total: number;
  /** True when the bytes came from a cache and not from the network. */
  readonly cached: boolean;
  /** Something that went wrong although the work goes on: the storage is full, the server is away. */
  readonly note?: string | undefined;
}

/** Options of everything that can take long. An abort rejects with a DOM `AbortError`. */
export interface JobOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** How a source is fetched, kept and checked. */
export interface FetchOptions {
  /**
   * Keep what is downloaded whole from an http(s) URL, continue it after a reload, and use it again as
   * long as the server says that it is the same. `true`: in the browser's storage (its private files,
   * else the Cache API); in Node in `directory`, or in the user's cache directory. Off when absent.
   */
  readonly cache?: boolean | { readonly directory: string };
  /** Refuse a file with any other SHA-256, in hexadecimal. The whole file is read for it. */
  readonly sha256?: string;
}

/** A file in the cache, or as much of it as came before the download ended. */
export interface CachedFile {
  readonly url: string;
  /** Bytes that are kept. */
  readonly bytes: number;
  /** Bytes in the whole file; null while the server has not said so. */
  readonly size: number | null;
  readonly complete: boolean;
  /** When it was stored, in milliseconds since 1970. */
  readonly storedAt: number;
}

/** Node only: another directory than the user's cache directory. */
export interface CacheDirectory {
  readonly directory?: string;
}

/** What `cache` keeps. Files that a job is using are left alone. */
export interface CacheControl {
  list(where?: CacheDirectory): Promise<CachedFile[]>;
  /** Bytes in all. */
  size(where?: CacheDirectory): Promise<number>;
  /** Whether there was such a file and it is gone now. */
  delete(url: string | URL, where?: CacheDirectory): Promise<boolean>;
  clear(where?: CacheDirectory): Promise<void>;
}

/** Where the WebAssembly and the worker come from; all optional, for bundlers and edge runtimes. */
export interface RuntimeOptions {
  /** URL of the `.wasm` file to fetch instead of the packaged one: a copy of the package's
   *  `ambry/ambry-baseline.wasm` or `ambry/ambry-relaxed.wasm`, which hold every call. */
  readonly wasmUrl?: string | URL;
  /** The bytes of the `.wasm` file. */
  readonly wasmBinary?: ArrayBuffer | Uint8Array;
  /** A compiled module, for runtimes that forbid compiling bytes. */
  readonly wasmModule?: WebAssembly.Module;
  /** Makes the worker; its script must be the package's `ambry/worker` entry. */
  readonly createWorker?: () => Worker;
}

export interface OpenOptions extends JobOptions, RuntimeOptions, FetchOptions {
  readonly weights?: WeightStorage;
}

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
}

/** A problem in a file, as `validate` lists it and `AmbryError` carries it. */
export interface Problem {
  readonly code: ErrorCode;
  /** Start of the faulty field; absent when the problem has no place in the file. */
  readonly byteOffset?: number;
  /** `tensors[3].shape[1]` */
  readonly path?: string;
  readonly message: string;
  /** The bytes around `byteOffset`, where `validate` was asked for them. */
  readonly context?: ByteContext;
}

/** Up to three rows of 16 bytes: the one with the faulty byte, those before and after it. */
export interface ByteContext {
  /** Of the first byte; a multiple of 16. */
  readonly offset: number;
  /** Two lower-case digits a byte, nothing between. */
  readonly hex: string;
}

/** How deep a file was looked into, each with all before it: headers and tables; the vocabulary, too;
 *  checksums and padding; every number. */
export type CheckDepth = 'headers' | 'structure' | 'checksums' | 'values';

export interface ValidationReport {
  readonly format: string | null;
  readonly version: string | null;
  /** Nothing wrong was found as deep as `depth`. */
  readonly valid: boolean;
  readonly depth: CheckDepth;
  /** In order of their place in the file; those without one first. */
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Whether `convert(source, {to: report.format})` writes a strict file with the same metadata,
   *  tokenizer and tensors. Never where an error leaves the content in doubt. */
  readonly rewritable: boolean;
  /** One entry a tensor, in the order of the file's table, when `values` was asked for and the structure
   *  is sound. Tensors of a type that is not decoded here are left out, with a warning. */
  readonly statistics?: readonly TensorStatistics[];
}

/** How the finite numbers of a tensor are spread: 64 bins of equal width over [low, high). */
export interface Histogram {
  readonly low: number;
  readonly high: number;
  readonly counts: readonly number[];
}

/** Least, greatest and mean Euclidean length of a tensor's rows, those with NaN or infinity left out. */
export interface RowNorms {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

/** What `validate` with `values` finds in the numbers of one tensor; quantised ones are decoded. A row is
 *  everything behind one index of the first dimension; tensors of one dimension have none. */
export interface TensorStatistics {
  readonly tensor: string;
  /** Numbers in all. */
  readonly count: number;
  readonly nan: number;
  readonly infinite: number;
  readonly zeros: number;
  /** Rows in which every number is zero. */
  readonly zeroRows: number;
  /** Numbers other than zero below the least normal number of the stored type. */
  readonly denormals: number;
  /** Of the finite numbers, as are the rest; null when there are none. */
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** Standard deviation over all numbers (not a sample's). */
  readonly std: number | null;
  readonly rowNorms: RowNorms | null;
  readonly histogram: Histogram | null;
}

export interface ValidateOptions extends JobOptions, RuntimeOptions, FetchOptions {
  /** Refuse what a writer must not produce, even where its meaning is certain. */
  readonly strict?: boolean;
  /** Verify them, which reads the file to its end. When absent: yes, but not for a URL whose server sends
   *  ranges, unless `cache` or `sha256` asks for the file as a whole; of such a file the headers and
   *  tables are looked at, a few requests. */
  readonly checksums?: boolean | undefined;
  /** Also look at the numbers: NaN, infinity, rows of zeros, repeated tokens, and statistics of every
   *  tensor. */
  readonly values?: boolean;
  /** Give the first 100 problems the bytes around their place, where the source can be read anywhere. */
  readonly context?: boolean;
}

/** The parts of a Hugging Face directory by relative path (`config.json`, `1_Pooling/config.json`, …);
 *  a first folder that all paths share does not matter. */
export type ModelDirectory =
  | ReadonlyMap<string, ModelSource>
  | Readonly<Record<string, ModelSource>>;

export interface ConvertOptions extends JobOptions, RuntimeOptions, FetchOptions {
  /** Target format; `embd` when absent. The source's own format writes its content again as a
   *  strict file. */
  readonly to?: string;
  /** Refuse a source of any other format; or what the source is, where its bytes do not tell. */
  readonly from?: string;
  /** The model's architecture, where the source does not state it. */
  readonly arch?: string;
  /** Leave out with a warning what the target cannot hold, instead of failing. */
  readonly lossy?: boolean;
  /** Word vectors: the rows with the norms that the source keeps beside them. */
  readonly unnormalize?: boolean;
  /** Storage of weight matrices; as in the source when absent. int8 is per row, with `.scale` companions. */
  readonly dtype?: 'f32' | 'f16' | 'bf16' | 'int8';
  /** Metadata to add or replace in the target. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Of a finalfusion file with quantized vectors: one with dense vectors (to `finalfusion`). */
  readonly reconstruct?: boolean;
  /** Hears what was left out or guessed. */
  readonly onWarning?: (warning: Problem) => void;
  /** Hears what became of the numbers, once all is done. */
  readonly onReport?: (report: ConversionReport) => void;
}

/** What a conversion did to the numbers of one tensor: sizes in bytes, types as `inspect` names them. */
export interface TensorChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** 0 for a tensor that the source does not have, such as scales. */
  readonly bytesBefore: number;
  readonly bytes: number;
  readonly maxAbsError: number;
  /** The length of the difference over the length of what was before; null where that was nothing. */
  readonly relativeError: number | null;
  /** Of before and after as two vectors. */
  readonly cosine: number;
}

export interface ConversionReport {
  /** Of all tensors together. */
  readonly bytesBefore: number;
  readonly bytes: number;
  readonly tensors: readonly TensorChange[];
  /** Of quantized word vectors, row by row: the cosine with what they were, and the distance from it. */
  readonly vectors?: {
    readonly rows: number;
    readonly cosine: { readonly mean: number; readonly deviation: number };
    readonly distance: { readonly mean: number; readonly deviation: number };
  };
}

export type QuantizeType =
  | 'int8'
  | 'int4'
  | 'int5'
  | 'int4_block'
  | 'int5_block'
  | 'adaptive'
  | 'f16'
  | 'bf16'
  | 'dq8'
  | 'sq8'
  | 'pq'
  | 'opq'
  | 'gaussian_opq';

/** How to store a model in fewer bits. Which types there are depends on the target's format: EMBD has int8
 *  (a scale a row), f16 and bf16; AMB int8 to adaptive; tinyRuntime dq8 and sq8; finalfusion those with pq. In EMBD
 *  and AMB vectors (norms, biases) keep their type. */
export interface QuantizeSettings {
  readonly type: QuantizeType;
  /** AMB: numbers that share a scale; 32 when absent. 0, for int8, int4 and int5: all of a tensor. */
  readonly block?: 0 | 32 | 128;
  /** AMB: how scales are stored. When absent fp16, but fp32 for tensors with a scale that does not fit. */
  readonly scale?: 'fp16' | 'fp32';
  /** `adaptive`: bits a weight, scales included, over all its tensors; 5.5 when absent. Word vectors: bits
   *  of a code. */
  readonly bits?: number;
  /** Tensors, by their names in the target, that keep their type. */
  readonly keep?: RegExp;
  /** AMB: the same for embeddings, and for the matrix before the logits. */
  readonly keepEmbeddings?: boolean;
  readonly keepOutput?: boolean;
  /** `dq8`: weights that share a scale, where a layer's form allows it; 64 when absent. */
  readonly group?: number;
  /** `sq8`: what the network is run over to see the ranges of its numbers: channels × side × side numbers
   *  each, already normalised. At least one. */
  readonly images?: readonly Float32Array[];
  /** `dq8`: without zero points. */
  readonly symmetric?: boolean;
  /** Word vectors: codes a vector (half the dimensions when absent), how they are trained, the seed of what
   *  is random in that, and on how many rows (as many as fit 64 MiB). */
  readonly subquantizers?: number;
  readonly iterations?: number;
  readonly attempts?: number;
  readonly seed?: number;
  readonly sample?: number;
}

export interface QuantizeOptions
  extends QuantizeSettings,
    Pick<ConvertOptions, 'from' | 'arch' | 'lossy'>,
    JobOptions,
    RuntimeOptions,
    FetchOptions {
  /** Target format; the source's own when absent. */
  readonly to?: string;
  /** Metadata to add or replace in the target; EMBD. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Texts to compare the model's output on, before and after, where it runs: a built-in set when absent;
   *  none with an empty list. */
  readonly texts?: readonly string[];
  readonly onWarning?: (warning: Problem) => void;
}

/** Node only. */
export interface QuantizeToFileOptions extends QuantizeOptions {
  readonly output: string;
}

/** How alike the outputs are before and after: cosines of the embeddings of so many texts. */
export interface OutputAgreement {
  readonly texts: number;
  readonly meanCosine: number;
  readonly leastCosine: number;
}

export interface Quantized {
  /** The target; null when it went to a file. */
  readonly blob: Blob | null;
  readonly report: ConversionReport | null;
  /** Null where the model cannot be run, or its source can be read only once. */
  readonly agreement: OutputAgreement | null;
}

/** What a source can become. */
export interface ConversionTargets {
  /** What the source is: a format, or a kind of file that is only converted from (`word2vec`, …). */
  readonly from: string;
  readonly targets: readonly {
    /** The option `to` of the conversion. */
    readonly to: string;
    /** Why this source cannot become it, although its kind can; null if it can. */
    readonly problem: Problem | null;
  }[];
}

/** Node only: the target goes to a file, which appears only when it is whole. */
export interface ConvertToFileOptions extends ConvertOptions {
  readonly output: string;
}

export interface Tokens {
  readonly ids: readonly number[];
  readonly tokens: readonly string[];
  /** Segment of each token: 0, or 1 for the second text of a pair. */
  readonly typeIds: readonly number[];
  /** `[start, end)` of each token in UTF-16 code units of its text; `[0, 0]` for added specials. */
  readonly offsets: readonly (readonly [number, number])[];
  /** The same in bytes of the text's UTF-8. */
  readonly byteOffsets: readonly (readonly [number, number])[];
}

export interface TokenizeOptions {
  /** Add [CLS] and [SEP]; true when absent. */
  readonly special?: boolean;
  /** A second text, for models that take pairs. */
  readonly pair?: string;
}

export type Pooling = 'mean' | 'cls' | 'max' | 'mean_sqrt_len' | 'lasttoken' | 'none';

export interface EmbedOptions extends JobOptions {
  /** The model's own when absent. */
  readonly pooling?: Pooling;
  /** Scale each vector to unit length; the model's own habit when absent. */
  readonly normalize?: boolean;
  /** What to do with texts longer than the model takes: cut them (default) or reject the call. */
  readonly truncate?: 'end' | 'error';
  /** Text put before each text, or the name of one of the model's prompts. */
  readonly prompt?: string;
  /** Keep the first `dim` numbers (Matryoshka), then normalise. */
  readonly dim?: number;
}

/** A passage to index: its text, and anything that should come back with a hit. */
export interface Doc {
  readonly id?: string | number;
  readonly text: string;
  readonly [field: string]: unknown;
}

export interface SearchHit {
  readonly id: string | number;
  /** Cosine similarity, −1 to 1. */
  readonly score: number;
  readonly text: string;
  readonly doc: Doc;
}

export interface SearchOptions {
  /** Number of hits; 10 when absent. */
  readonly k?: number;
  /** Text put before the query, or the name of one of the model's prompts. */
  readonly prompt?: string;
  readonly signal?: AbortSignal;
}

export interface IndexOptions extends JobOptions, RuntimeOptions {
  /** Text put before each passage, or the name of one of the model's prompts. */
  readonly prompt?: string;
}

/** What an index file says of the model that made it. */
export interface IndexedModel {
  /** Where the model was, as given to `save`: a URL, or a path relative to the index file. */
  readonly reference: string | null;
  readonly format: string;
  readonly dim: number;
}

export type ErrorCode =
  | 'Truncated'
  | 'BadMagic'
  | 'UnsupportedVersion'
  | 'BadValue'
  | 'Overflow'
  | 'LimitExceeded'
  | 'Unsupported'
  | 'Mismatch'
  | 'NotFound'
  | 'NeedBytes'
  | 'Cancelled'
  /** The network: no answer, a status that is not success, HTML, a wrong length, a cut connection. */
  | 'Http'
  /** The worker or its WebAssembly died, and what it held is lost: open the model again. */
  | 'Crashed';

export interface DoctorCheck {
  /** `simd`, `relaxed-simd`, `threads`, `isolation`, `opfs`, `quota`, `csp`, `range`, `cors`, … */
  readonly name: string;
  readonly ok: boolean;
  /** What was found. */
  readonly found: string;
  /** What to do about it; absent when nothing needs doing. */
  readonly fix?: string;
}

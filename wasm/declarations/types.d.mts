// What crosses between JavaScript and the modules. Everything structured does as JSON text, text as UTF-8 bytes; big
// data is written to and read from the heap by address; objects of the core are held by number.

export interface WireError {
  code: string;
  message: string;
  byteOffset?: number;
  path?: string;
  /** NeedBytes only: bytes wanted from `byteOffset` on. Without a `byteOffset` the size is wanted. */
  needSize?: number;
  /** NeedBytes: of which source, where there are several; the first when absent. */
  needFile?: number;
}

export type Outcome<T> = { value: T } | { error: WireError };

/** JSON text of an Outcome. The member is for the compiler alone, here and in Handle. */
export type OutcomeText<T> = string & { readonly valueType: T };

/** An object of the core. Call `release` when done; after that every call with it is a `NotFound`. */
export type Handle<K extends string = string> = number & { readonly handleType: K };

/** A place in the heap. Growing the heap detaches views: take `HEAPU8` anew after every call. */
export interface HeapRange {
  address: number;
  size: number;
}

/** Models by the kind that `beginLoad` is told. */
export interface ModelsByKind {
  encoder: EncoderModel;
  staticEncoder: StaticEncoderModel;
  words: WordsModel;
  imageClassifier: ImageClassifierModel;
  textClassifier: TextClassifierModel;
  generator: GeneratorModel;
  tokenizer: TokenizerModel;
}
export type EncoderModel = Handle<'EncoderModel'>;
export type StaticEncoderModel = Handle<'StaticEncoderModel'>;
export type WordsModel = Handle<'WordsModel'>;
export type ImageClassifierModel = Handle<'ImageClassifierModel'>;
export type TextClassifierModel = Handle<'TextClassifierModel'>;
export type GeneratorModel = Handle<'GeneratorModel'>;
export type TokenizerModel = Handle<'TokenizerModel'>;
export type AnyModel =
  | EncoderModel
  | StaticEncoderModel
  | WordsModel
  | ImageClassifierModel
  | TextClassifierModel
  | GeneratorModel
  | TokenizerModel;
/** Loads a model of any kind. */
export type Loader = Handle<'Loader'>;

/** Jobs over texts. */
export type TextJob =
  | EmbedJob
  | StaticEmbedJob
  | ScoreJob
  | TokenJob
  | TokenRowsJob
  | SparseJob
  | SentenceJob
  | PredictJob
  | TextEmbeddingJob
  | PromptScoreJob;
export type EmbedJob = Handle<'EmbedJob'>;
export type StaticEmbedJob = Handle<'StaticEmbedJob'>;
export type ScoreJob = Handle<'ScoreJob'>;
/** Makes the token vectors of a model with late interaction. */
export type TokenJob = Handle<'TokenJob'>;
export type TokenRowsJob = Handle<'TokenRowsJob'>;
export type SparseJob = Handle<'SparseJob'>;
export type SentenceJob = Handle<'SentenceJob'>;
export type TextEmbeddingJob = Handle<'TextEmbeddingJob'>;
export type PromptScoreJob = Handle<'PromptScoreJob'>;
export type PredictJob = Handle<'PredictJob'>;

/** A file, held in part. */
export type PartialSource = Handle<'PartialSource'>;
/** What a conversion reads: weights, held in part, and the small files beside them, whole. */
export type ConversionFiles = Handle<'ConversionFiles'>;
export type Conversion = Handle<'Conversion'>;
export type Calibration = Handle<'Calibration'>;
/** What the layers of a model that generates text are given over texts: being seen, and seen. */
export type ActivationJob = Handle<'ActivationJob'>;
export type Activations = Handle<'Activations'>;
export type SavedActivations = Handle<'SavedActivations'>;
export type Validation = Handle<'Validation'>;
export type DistillJob = Handle<'DistillJob'>;
export type VectorIndex = Handle<'VectorIndex'>;
/** An index of documents with many vectors each. */
export type DocumentIndex = Handle<'DocumentIndex'>;
/** An index of documents with sparse vectors. */
export type SparseDocuments = Handle<'SparseDocuments'>;
export type AnyIndex = VectorIndex | DocumentIndex | SparseDocuments;
/** An index file being read: write its bytes to its range, then `finishIndex`, `finishDocuments` or `finishSparse`. */
export type IndexReader = Handle<'IndexReader'>;
/** An index of the caller's own vectors, in memory. */
export type VectorLists = Handle<'VectorLists'>;
/** The file of such an index, and a query over it. */
export type ListReader = Handle<'ListReader'>;
export type ListLookup = Handle<'ListLookup'>;
export type ClusterJob = Handle<'ClusterJob'>;
export type MapJob = Handle<'MapJob'>;
/** The stack of a further instance over the memory. */
export type InstanceStack = Handle<'InstanceStack'>;
export type InstanceTeam = Handle<'InstanceTeam'>;

/** What gets the caller's vectors, and then works on them in steps. */
export type VectorJob = VectorLists | ClusterJob | MapJob;

/** Takes a file's bytes in order, from `start` on, `wanted` of them: write up to `rangeOf().size` bytes
 *  at its address, then `commit(n)`. */
export type ByteSink = Calibration | Validation | Loader | CodeLoader;
/** What has bytes that JavaScript reads or writes where they are (`rangeOf`). */
export type HeldBytes =
  /** The bytes to write next. */
  | ByteSink
  /** All bytes of a file, to write. */
  | IndexReader
  /** All bytes, to read or to write. */
  | SavedPromptCache
  /** The bytes that `readActivations` of a module that converts takes. */
  | SavedActivations
  /** The header that was saved with an index. */
  | AnyIndex
  | ListReader
  /** The file of a job that is done. */
  | DistillJob
  /** u32: the word of each weight, or the label of each probability, once it is done. */
  | SparseJob
  | PredictJob
  /** f32: x and y of each vector, once it is done. */
  | MapJob
  /** The f32 of all activations, one after another. */
  | ClassifyJob
  /** Rows of f32. */
  | LogitsJob
  /** Pairs of f64, the score and the probability, for each text, each question and each of its answers. */
  | DecideJob
  /** u32 numbers, which core/api/decoder/device_jobs.h lists. */
  | DeviceRows;

/** Takes tensors that are read one by one. */
export type TensorTaker = Loader | GeneratorModel;
export type GenerateJob = Handle<'GenerateJob'>;
/** Jobs that pass prompts and texts through a model that generates text. */
export type PassJob = LogitsJob | PerplexityJob | ActivationJob | DecideJob;
export type LogitsJob = Handle<'LogitsJob'>;
export type DecideJob = Handle<'DecideJob'>;
/** The keys and values of a conversation, and such a thing as bytes. */
export type PromptCache = Handle<'PromptCache'>;
export type SavedPromptCache = Handle<'SavedPromptCache'>;
export type PerplexityJob = Handle<'PerplexityJob'>;
export type DeviceCheck = Handle<'DeviceCheck'>;
export type DeviceRows = Handle<'DeviceRows'>;
export type ClassifyJob = Handle<'ClassifyJob'>;
/** What became of some words. */
export type WordBatch = Handle<'WordBatch'>;
/** The codes of a session whose rows are not held; when it has them all, queries work. */
export type CodeLoader = Handle<'CodeLoader'>;
export type AccuracyJob = Handle<'AccuracyJob'>;

export interface ConversionStep {
  /** work: nothing to read or to write, only to call again. */
  kind: 'read' | 'write' | 'work' | 'done';
  /** read: which of the weights, in the order of `addWeights`. */
  file: number;
  /** read: file offset of the bytes to put into `block`; write: where `block` goes in the target; work: how
   *  much of it is done, in thousandths. */
  offset: number;
  block: HeapRange;
}

/** `dim` numbers a row; `rows` are all rows as f32; `rowCounts`, u32, says how many each text has, and is empty when each
 *  has one. */
export interface TextRows {
  dim: number;
  rows: HeapRange;
  rowCounts: HeapRange;
}

/** A tensor to be read: its number, its offset in the file and its bytes. */
export type TensorPlace = [tensor: number, offset: number, bytes: number];

/** What a job over a decoder's passes says between two of them. */
export interface PassProgress {
  /** Not null: give the tensors of this part of the model first (`roomFor`), then go on. */
  part: number | null;
  done: boolean;
  /** In tokens. */
  loaded: number;
  total: number;
}

export interface GeneratedToken {
  index: number;
  id: number;
  text: string;
  logprob?: number;
  probability?: number;
  top?: { id: number; token: string; logprob: number }[];
}

/** Makes an instance of a module. `instantiateWasm` makes the WebAssembly's, and hands it to `receive`. A module whose
 *  memory can be shared takes it as `wasmMemory`. */
export type CreateModule<M> = (options?: {
  wasmMemory?: WebAssembly.Memory;
  instantiateWasm?: (
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module?: WebAssembly.Module) => void,
  ) => object;
}) => Promise<M>;

/** Where a module's WebAssembly lies. What computes the same in both flavours has the baseline alone. */
export interface PackagedUrls {
  /** How the names of its files begin: `ambry-encoder-small`. A bundler may have given them others. */
  readonly name: string;
  readonly baseline: URL;
  readonly relaxed?: URL;
}

/** The JavaScript of a module. */
export interface ModuleGlue<M> {
  readonly create: CreateModule<M>;
  /** Several instances can run over one memory, which they import. Such a module has InstancesBindings. In the file of each
   *  flavour, this is the offset of the byte that says whether this memory is shared (`0b10`). */
  readonly sharedAt?: { readonly baseline: number; readonly relaxed?: number };
}

/** A module of the package: its JavaScript and its WebAssembly. */
export interface PackagedModule<M> extends ModuleGlue<M>, PackagedUrls {}

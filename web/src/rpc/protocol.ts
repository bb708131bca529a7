// Every call that crosses between a page and its worker, in one map. A new call is one entry here and
// one handler in worker/handlers.ts or the *-handlers.ts of its kind of model; the compiler finds the rest.
// Plain data only.
import type { Classification, ClassifyOptions, Pixels } from '../classifier/types.ts';
import type { EmbedOptions } from '../encoder/types.ts';
import type { ConversionReport, ConversionTargets, WordSelection } from '../files/convert-types.ts';
import type { FileInfo, Inspection, TokenizerInfo } from '../files/inspect-types.ts';
import type { QuantizeSettings } from '../files/quantize-types.ts';
import type { ValidationReport } from '../files/validate-types.ts';
import type {
  GeneratedToken,
  GenerateOptions,
  Generation,
  Perplexity,
  PerplexityOptions,
} from '../generator/types.ts';
import type { OpenOptions, WeightStorage } from '../model/types.ts';
import type { Problem } from '../problem.ts';
import type { TokenizeOptions, Tokens } from '../tokenizer/types.ts';
import type {
  AccuracyReport,
  AnalogyOptions,
  ScoredWord,
  SimilarOptions,
  WordExplanation,
  WordVectors,
} from '../words/types.ts';
import type { FetchOptions, Progress } from './types.ts';

/** A model source in the form that crosses. */
export type WireSource = (
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'blob'; readonly blob: Blob }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'path'; readonly path: string }
  /** Only where streams can be transferred; else they are spooled into a blob before. */
  | { readonly kind: 'stream'; readonly stream: ReadableStream<Uint8Array> }
) & {
  /** Means something for URLs only. */
  readonly cache?: FetchOptions['cache'] | undefined;
  readonly sha256?: string | undefined;
  /** What a stream begins like: it can be given to one worker only. */
  readonly holds?: 'words' | 'generator' | undefined;
};

/** One of a model's files of weights; the name is empty where only one was given, and not a directory. */
export interface NamedSource {
  readonly name: string;
  readonly source: WireSource;
}

/** Sent once to every fresh worker, before any call: where its WebAssembly comes from. */
export interface Greeting {
  readonly wasmUrl?: string | undefined;
  readonly wasmBinary?: Uint8Array<ArrayBuffer> | undefined;
  readonly wasmModule?: WebAssembly.Module | undefined;
  readonly deterministic?: boolean | undefined;
}

/** Pictures are decoded where the platform can. */
export type QuantizeWire = Omit<QuantizeSettings, 'images'> & {
  readonly images?: readonly (Float32Array | Pixels)[];
};

export interface ConversionSettings {
  readonly to: string;
  readonly from?: string | undefined;
  readonly arch?: string | undefined;
  readonly dtype?: string | undefined;
  readonly lossy?: boolean | undefined;
  readonly unnormalize?: boolean | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly metadataToml?: string | undefined;
  readonly reconstruct?: boolean | undefined;
  readonly explicit?: boolean | undefined;
  readonly select?: WordSelection | undefined;
  readonly quantize?: QuantizeWire | undefined;
}

/** How a model that generates text is opened. */
export type GeneratorSettings = {
  readonly [K in 'kv' | 'context' | 'resident']?: OpenOptions[K] | undefined;
};

/** A text, with the special tokens around it or without, or tokens. */
export type WirePrompt =
  | { readonly text: string; readonly special: boolean }
  | { readonly ids: readonly number[] };

export type GenerateSettings = Omit<GenerateOptions, 'signal' | 'onProgress' | 'stop' | 'seed'> & {
  readonly stop: readonly string[];
  readonly seed: number;
};

export type TokenizeSettings = {
  readonly [K in keyof TokenizeOptions]?: TokenizeOptions[K] | undefined;
};

export type EmbedSettings = Omit<EmbedOptions, 'signal' | 'onProgress' | 'workers'>;

export interface Embedded {
  /** All rows, one after the other. */
  readonly vectors: Float32Array<ArrayBuffer>;
  readonly dim: number;
  /** Rows of each text. */
  readonly rowCounts: Uint32Array<ArrayBuffer>;
}

/** All that a worker knows of the encoder that it holds. Only a worker of the same module can take it. */
export interface HeapCopy {
  readonly heap: Uint8Array<ArrayBuffer>;
  /** The encoder's number there. */
  readonly session: number;
}

/** The heap of a worker's encoder, for others to run batches over: a module without a memory, and the memory. */
export interface HeapShare {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
}

/** A job whose batches workers run side by side. */
export interface OpenLanes {
  /** Held by the worker that allocates. */
  readonly handle: number;
  readonly texts: number;
  readonly batches: number;
  /** Two numbers in the memory: the batch that is next, and the texts that are done. */
  readonly counts: number;
  /** The job, the functions that run a batch and set a stack, and where the lanes' stacks lie. */
  readonly job: number;
  readonly run: number;
  readonly useStack: number;
  readonly stacks: number;
  readonly stackBytes: number;
}

export interface LaneWork extends OpenLanes {
  readonly lane: number;
}

/** Where vectors are kept. */
export type VectorPlace = { readonly name: string } | { readonly path: string };

/** By which model and how texts became vectors. */
export interface VectorFingerprint {
  /** The vector of a fixed sentence. */
  readonly probe: Float32Array<ArrayBuffer>;
  /** Null where the model's own was taken. */
  readonly prompt: string | null;
}

export interface FoundVectors {
  /** 1 for each text whose vector is kept. */
  readonly found: Uint8Array<ArrayBuffer>;
  /** A row a text; zeros where none is kept. */
  readonly rows: Float32Array<ArrayBuffer>;
}

/** What an index file says. */
export interface IndexFacts {
  readonly dim: number;
  readonly size: number;
  readonly int8: boolean;
  readonly version: number;
  readonly headerOffset: number;
  /** What the client keeps beside the vectors. */
  readonly header: Uint8Array<ArrayBuffer>;
}

export interface RowHit {
  readonly row: number;
  /** Without the bias. */
  readonly score: number;
}

export type Calls = {
  /** Loads the WebAssembly and says what it is. */
  hello: { in: null; out: { flavour: string; formats: readonly string[] } };
  inspect: { in: { source: WireSource }; out: Inspection };
  validate: {
    in: {
      source: WireSource;
      strict: boolean;
      values: boolean;
      checksums: boolean | undefined;
      context: boolean;
    };
    out: ValidationReport;
  };
  /** The blob is null when the target went to the file `output`; the report, where nothing was measured. */
  convert: {
    in: {
      weights: readonly NamedSource[];
      files: Readonly<Record<string, WireSource>>;
      settings: ConversionSettings;
      output?: string | undefined;
    };
    out: {
      blob: Blob | null;
      warnings: readonly Problem[];
      report: ConversionReport | null;
    };
  };
  conversionTargets: {
    in: {
      weights: readonly NamedSource[];
      files: Readonly<Record<string, WireSource>>;
      settings: Omit<ConversionSettings, 'to'>;
    };
    out: ConversionTargets;
  };
  open: {
    in: {
      source: WireSource;
      /** As stored when absent. */
      weights?: WeightStorage | undefined;
      mode?: OpenOptions['mode'];
    } & GeneratorSettings;
    out: {
      info: FileInfo;
      weightBytes: number;
      flavour: string;
      /** What it is, where it is no encoder. */
      kind?: 'words' | 'classifier' | 'generator';
    };
  };
  openTokenizer: { in: { source: WireSource }; out: TokenizerInfo };
  tokenize: { in: { text: string; options: TokenizeSettings }; out: Tokens };
  detokenize: { in: { ids: readonly number[]; skipSpecial: boolean }; out: string };
  embed: { in: { texts: readonly string[]; settings: EmbedSettings }; out: Embedded };
  /** What another worker takes to embed as this one does. */
  copyHeap: { in: null; out: HeapCopy };
  adoptHeap: { in: HeapCopy; out: null };
  /** Null where memory cannot be shared; else the worker runs batches itself. */
  shareHeap: { in: null; out: HeapShare | null };
  joinHeap: { in: HeapShare; out: null };
  openLanes: {
    in: { texts: readonly string[]; settings: EmbedSettings; lanes: number };
    out: OpenLanes;
  };
  runLane: { in: LaneWork; out: null };
  /** What it is all together, unless that is not wanted any more. */
  closeLanes: { in: { handle: number; wanted: boolean }; out: Embedded | null };
  /** Opens the vectors kept there, or begins anew where others are, and says how many there are. */
  openVectors: { in: { place: VectorPlace; fingerprint: VectorFingerprint }; out: number };
  findVectors: { in: { texts: readonly string[] }; out: FoundVectors };
  /** Keeps a row for each text. */
  keepVectors: { in: { texts: readonly string[]; rows: Float32Array<ArrayBuffer> }; out: null };
  closeVectors: { in: null; out: null };
  createIndex: { in: { dim: number; int8: boolean }; out: null };
  readIndex: { in: { source: WireSource }; out: IndexFacts };
  /** Appends rows and gives the number of rows there are then. */
  appendRows: { in: { rows: Float32Array<ArrayBuffer> }; out: number };
  /** Drops the rows whose mark is 0 and gives the number of those that are left. */
  retainRows: { in: { marks: Uint8Array }; out: number };
  wordVectors: { in: { words: readonly string[]; unnormalized: boolean }; out: WordVectors };
  explainWord: { in: { word: string }; out: WordExplanation };
  similarWords: {
    in: { query: string | Float32Array; settings: Omit<SimilarOptions, 'signal'> };
    out: ScoredWord[];
  };
  analogy: {
    in: { words: readonly [string, string, string]; settings: Omit<AnalogyOptions, 'signal'> };
    out: ScoredWord[];
  };
  accuracy: { in: { questions: string }; out: AccuracyReport };
  classify: {
    in: {
      input: Float32Array | Pixels;
      /** JSON; null for the one before. */
      plan: string | null;
      settings: Omit<ClassifyOptions, 'signal' | 'onProgress' | 'plan'>;
    };
    out: Classification;
  };
  /** One at a time: `nextTokens` until it has a result, and `endGeneration` if that is not waited for. */
  startGeneration: {
    in: { prompt: WirePrompt; settings: GenerateSettings };
    out: { promptIds: readonly number[] };
  };
  /** The tokens of the next moment, at least one unless it was the last. */
  nextTokens: {
    in: null;
    out: { tokens: readonly GeneratedToken[]; result: Generation | null };
  };
  /** What there is until now, as a result. */
  endGeneration: { in: null; out: Generation };
  /** Rows of `info.generator.vocabulary` numbers. */
  logits: { in: { prompt: WirePrompt; all: boolean }; out: Float32Array<ArrayBuffer> };
  perplexity: {
    in: { text: string; settings: Omit<PerplexityOptions, 'signal' | 'onProgress'> };
    out: Perplexity;
  };
  listWords: { in: { offset: number; limit: number }; out: string[] };
  /** Ranked by score and bias, where there is one; a bias of -Infinity leaves a row out. */
  searchRows: {
    in: { query: Float32Array; k: number; bias?: Float32Array | undefined };
    out: readonly RowHit[];
  };
  writeIndex: { in: { header: Uint8Array }; out: Blob };
};

/** The calls of a worker for sentence encoders and indexes. */
export type RunCalls = Pick<
  Calls,
  | 'open'
  | 'tokenize'
  | 'detokenize'
  | 'embed'
  | 'copyHeap'
  | 'adoptHeap'
  | 'shareHeap'
  | 'joinHeap'
  | 'openLanes'
  | 'runLane'
  | 'closeLanes'
  | 'createIndex'
  | 'readIndex'
  | 'appendRows'
  | 'retainRows'
  | 'searchRows'
  | 'writeIndex'
>;

/** The calls of a worker for word vectors. */
export type WordsCalls = Pick<
  Calls,
  | 'open'
  | 'tokenize'
  | 'detokenize'
  | 'embed'
  | 'wordVectors'
  | 'explainWord'
  | 'similarWords'
  | 'analogy'
  | 'accuracy'
  | 'listWords'
>;

/** The calls of a worker for networks that classify pictures. */
export type ClassifyCalls = Pick<Calls, 'open' | 'classify' | 'embed' | 'tokenize' | 'detokenize'>;

/** The calls of a worker for models that generate text. */
export type GenerateCalls = Pick<
  Calls,
  | 'open'
  | 'tokenize'
  | 'detokenize'
  | 'embed'
  | 'startGeneration'
  | 'nextTokens'
  | 'endGeneration'
  | 'logits'
  | 'perplexity'
>;

/** The calls of a worker that looks into files. */
export type InspectCalls = Pick<Calls, 'hello' | 'inspect' | 'validate'>;

/** The calls of a worker for a tokenizer by itself. */
export type TokenizeCalls = Pick<Calls, 'openTokenizer' | 'tokenize' | 'detokenize'>;

/** The calls of a worker that converts. */
export type ConvertCalls = Pick<Calls, 'convert' | 'conversionTargets'>;

/** The calls of a worker that keeps vectors. */
export type KeepCalls = Pick<Calls, 'openVectors' | 'findVectors' | 'keepVectors' | 'closeVectors'>;

/** What any map of calls looks like, for the channel and the server, which know no call by name. */
export type CallMap<C> = { [K in keyof C]: { in: unknown; out: unknown } };

export type ToWorker<C> =
  | { readonly greeting: unknown }
  | { readonly id: number; readonly call: keyof C; readonly in: unknown }
  | { readonly id: number; readonly cancel: true };

export type FromWorker =
  | { readonly id: number; readonly ok: true; readonly out: unknown }
  | { readonly id: number; readonly ok: false; readonly error: Problem }
  | { readonly id: number; readonly cancelled: true }
  | { readonly id: number; readonly progress: Progress }
  /** The worker cannot go on: its WebAssembly trapped. */
  | { readonly fatal: string };

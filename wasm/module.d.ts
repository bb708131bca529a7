// The shape of the compiled module, kept by hand beside the bindings. Everything structured crosses as
// JSON text; text crosses as UTF-8 bytes; big data is written to and read from the heap by address;
// objects of the core are held by number.

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

/** A file, held in part. */
export type PartialSource = Handle<'PartialSource'>;
/** What a conversion reads: weights, held in part, and the small files beside them, whole. */
export type ConversionFiles = Handle<'ConversionFiles'>;
export type Conversion = Handle<'Conversion'>;
export type Calibration = Handle<'Calibration'>;
/** What the layers of a model that generates text are given over texts: being seen, and seen. */
export type ActivationJob = Handle<'ActivationJob'>;
export type Activations = Handle<'Activations'>;
export type Validation = Handle<'Validation'>;
export type EncoderLoader = Handle<'EncoderLoader'>;
export type EncoderSession = Handle<'EncoderSession'>;
export type EmbedJob = Handle<'EmbedJob'>;
export type Tokenizer = Handle<'Tokenizer'>;
export type TextTokenizer = Handle<'TextTokenizer'>;
export type VectorIndex = Handle<'VectorIndex'>;
/** An index file being read: write its bytes into `readerWindow`, then `finishIndex`. */
export type IndexReader = Handle<'IndexReader'>;

/** How instances of the module over one memory run an embedding together. Functions are given by their place in the
 *  table. The one at `run` takes `job`, a lane and one of `batches`, and gives the number of its texts; before, the one
 *  at `useStack` takes the upper end of a stack of `stackBytes`, of which the lanes' lie side by side from `stacks` on.
 *  Two numbers of 32 bits at `counts` are theirs to count with; they begin at 0. */
export interface Lanes {
  job: number;
  run: number;
  batches: number;
  counts: number;
  stacks: number;
  stackBytes: number;
  useStack: number;
}

/** Takes a file's bytes in order, from `start` on, `wanted` of them: write up to `sinkWindow().size` bytes
 *  at its address, then `commit(n)`. */
export type ByteSink =
  | Calibration
  | Validation
  | EncoderLoader
  | WordsLoader
  | CodeLoader
  | ClassifierLoader
  | GeneratorLoader;

export type GeneratorLoader = Handle<'GeneratorLoader'>;
export type GeneratorSession = Handle<'GeneratorSession'>;
/** Takes tensors that are read one by one. */
export type TensorTaker = GeneratorLoader | GeneratorSession;
export type GenerateJob = Handle<'GenerateJob'>;
export type LogitsJob = Handle<'LogitsJob'>;
export type PerplexityJob = Handle<'PerplexityJob'>;
export type ClassifierLoader = Handle<'ClassifierLoader'>;
export type ClassifierSession = Handle<'ClassifierSession'>;
export type ClassifyJob = Handle<'ClassifyJob'>;
export type WordsLoader = Handle<'WordsLoader'>;
export type WordsSession = Handle<'WordsSession'>;
/** What became of some words. */
export type WordBatch = Handle<'WordBatch'>;
/** The codes of a session whose rows are not held; when it has them all, queries work. */
export type CodeLoader = Handle<'CodeLoader'>;
export type AccuracyJob = Handle<'AccuracyJob'>;
export type SentenceJob = Handle<'SentenceJob'>;

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

/** `dim` numbers a row; `rows` are all rows as f32; `rowCounts`, u32, says how many each text has: one, or
 *  for pooling `none` its tokens. */
export interface EmbeddedRows {
  dim: number;
  rows: HeapRange;
  rowCounts: HeapRange;
}

/** What all modules have. */
export interface CoreModule {
  HEAPU8: Uint8Array;
  /** `baseline` or `relaxed` */
  simdFlavour(): string;
  /** Frees the object; false when there is none. */
  release(handle: Handle): boolean;

  /** `size` is -1 while it is unknown. A file that `streamsBy` can be had only once and in order: what
   *  stands at its end is checked when it passes, and only `inspect` and `beginLoad` take it. */
  createSource(size: number, streamsBy: boolean): OutcomeText<PartialSource>;
  insert(source: PartialSource, offset: number, bytes: Uint8Array): OutcomeText<null>;
  /** The file ended here; its size had not been known. */
  endsAt(source: PartialSource, size: number): OutcomeText<null>;
  sinkRange(sink: ByteSink): OutcomeText<{ start: number; wanted: number }>;
  sinkWindow(sink: ByteSink): OutcomeText<HeapRange>;
  commit(sink: ByteSink, n: number): OutcomeText<null>;
}

/** What a page needs to run models. */
export interface RunModule extends CoreModule {
  beginLoad(source: PartialSource, weights: string): OutcomeText<EncoderLoader>;
  finishLoad(loader: EncoderLoader): OutcomeText<EncoderSession>;
  /** `info` is a FileInfo; `weightBytes` are those of heap that the weights take. */
  sessionFacts(session: EncoderSession): OutcomeText<{ info: unknown; weightBytes: number }>;
  sessionTokenizer(session: EncoderSession): OutcomeText<Tokenizer>;

  /** Tokens. `pair` is empty bytes with hasPair false when there is none. */
  tokenize(
    tokenizer: Tokenizer,
    text: Uint8Array,
    special: boolean,
    hasPair: boolean,
    pair: Uint8Array,
  ): OutcomeText<unknown>;
  /** `ids` is a JSON array of numbers; special tokens are left out of the text when `skipSpecial`. */
  detokenize(tokenizer: Tokenizer, ids: string, skipSpecial: boolean): OutcomeText<string>;

  /** `options` is JSON of EmbedOptions without signal and onProgress. Then addText() every text,
   *  startEmbed(), and stepEmbed() until it is done; the rows come in the order of the texts. */
  beginEmbed(session: EncoderSession, options: string): OutcomeText<EmbedJob>;
  addText(job: EmbedJob, text: Uint8Array): OutcomeText<null>;
  startEmbed(job: EmbedJob): OutcomeText<null>;
  /** Runs one batch. */
  stepEmbed(job: EmbedJob): OutcomeText<{ done: boolean; doneTexts: number }>;
  embedded(job: EmbedJob): OutcomeText<EmbeddedRows>;

  /** Instead of stepEmbed(): so many lanes may run batches side by side then. */
  openLanes(job: EmbedJob, lanes: number): OutcomeText<Lanes>;

  /** An empty index of vectors of `dim` numbers, kept as bytes with a scale each, or as floats. */
  createIndex(dim: number, asBytes: boolean): OutcomeText<VectorIndex>;
  /** An index file of `size` bytes. */
  openIndex(size: number): OutcomeText<IndexReader>;
  readerWindow(reader: IndexReader): OutcomeText<HeapRange>;
  finishIndex(reader: IndexReader): OutcomeText<VectorIndex>;
  /** `version` and `headerOffset` are those of the file that it was read from, as `indexHeader` is: until it
   *  changes. */
  indexFacts(index: VectorIndex): OutcomeText<{
    dim: number;
    size: number;
    int8: boolean;
    version: number;
    headerOffset: number;
  }>;
  /** The bytes that were saved with it. */
  indexHeader(index: VectorIndex): OutcomeText<HeapRange>;
  /** Appends rows, the bytes of little-endian f32, and says how many there are then. */
  append(index: VectorIndex, rows: Uint8Array): OutcomeText<number>;
  /** Drops the rows whose mark is 0, a byte a row, and says how many there are then. */
  retain(index: VectorIndex, marks: Uint8Array): OutcomeText<number>;
  /**
   * The highest score + bias first, ties by row; query and bias are the bytes of f32. The bias may be empty; a
   * row whose bias is -Infinity is left out.
   */
  search(
    index: VectorIndex,
    query: Uint8Array,
    bias: Uint8Array,
    k: number,
  ): OutcomeText<{ row: number; score: number }[]>;
  /** The whole index file in three pieces, valid until the next call; `header` is kept with it. */
  save(index: VectorIndex, header: Uint8Array): OutcomeText<HeapRange[]>;
}

/** What a page needs for word vectors. Words and texts are UTF-8; `options`, lists of words and what is
 *  given where nothing else is said are JSON. */
export interface WordsModule extends CoreModule {
  /** Fill it as a ByteSink. */
  beginWords(source: PartialSource): OutcomeText<WordsLoader>;
  finishWords(loader: WordsLoader): OutcomeText<WordsSession>;
  /** Holds everything but the rows. */
  openRanged(source: PartialSource): OutcomeText<WordsSession>;
  /** `info` is a FileInfo with WordsInfo. */
  wordsFacts(session: WordsSession): OutcomeText<{ info: unknown; weightBytes: number }>;

  wordVectors(session: WordsSession, words: string, unnormalized: boolean): OutcomeText<WordBatch>;
  /** Rows and norms as f32; `found` a byte each: 0 none, 1 known, 2 by subwords. */
  wordBatch(batch: WordBatch): OutcomeText<{ rows: HeapRange; norms: HeapRange; found: HeapRange }>;
  /** A WordExplanation. */
  explainWord(session: WordsSession, word: Uint8Array): OutcomeText<unknown>;
  similarWords(
    session: WordsSession,
    word: Uint8Array,
    options: string,
  ): OutcomeText<{ word: string; score: number }[]>;
  /** The vector as the bytes of f32. */
  wordsSimilarTo(
    session: WordsSession,
    vector: Uint8Array,
    options: string,
  ): OutcomeText<{ word: string; score: number }[]>;
  analogy(
    session: WordsSession,
    a: Uint8Array,
    b: Uint8Array,
    c: Uint8Array,
    options: string,
  ): OutcomeText<{ word: string; score: number }[]>;
  listWords(session: WordsSession, offset: number, limit: number): OutcomeText<string[]>;

  /** Offsets and sizes in the file of what vectors of these words need and is not held. */
  missingRows(session: WordsSession, words: string): OutcomeText<[number, number][]>;
  supplyRows(session: WordsSession, offset: number, bytes: Uint8Array): OutcomeText<null>;
  /** Fill it as a ByteSink. */
  beginCodes(session: WordsSession): OutcomeText<CodeLoader>;

  beginAccuracy(session: WordsSession): OutcomeText<AccuracyJob>;
  addQuestions(job: AccuracyJob, text: Uint8Array): OutcomeText<null>;
  stepAccuracy(job: AccuracyJob): OutcomeText<{ done: boolean; asked: number; total: number }>;
  /** An AccuracyReport. */
  accuracyReport(job: AccuracyJob): OutcomeText<unknown>;

  /** As beginEmbed to embedded, with what a step needs of the file before it. */
  beginSentences(session: WordsSession, options: string): OutcomeText<SentenceJob>;
  addSentence(job: SentenceJob, text: Uint8Array): OutcomeText<null>;
  startSentences(job: SentenceJob): OutcomeText<null>;
  missingOfSentences(job: SentenceJob): OutcomeText<[number, number][]>;
  stepSentences(job: SentenceJob): OutcomeText<{ done: boolean; doneTexts: number }>;
  sentences(job: SentenceJob): OutcomeText<EmbeddedRows>;
}

/** What a page needs to classify pictures. Plans and options are JSON. */
export interface ClassifyModule extends CoreModule {
  /** Fill it as a ByteSink. */
  beginClassifier(source: PartialSource): OutcomeText<ClassifierLoader>;
  finishClassifier(loader: ClassifierLoader): OutcomeText<ClassifierSession>;
  /** `info` is a FileInfo with ClassifierInfo. */
  classifierFacts(session: ClassifierSession): OutcomeText<{ info: unknown; weightBytes: number }>;
  /** For what begins afterwards. */
  usePlan(session: ClassifierSession, plan: string): OutcomeText<null>;

  /** Then one of classifyTensor() and classifyPicture(), startClassify(), and stepClassify() until it says
   *  true. */
  beginClassify(session: ClassifierSession, options: string): OutcomeText<ClassifyJob>;
  /** Where so many floats go. */
  classifyTensor(job: ClassifyJob, numbers: number): OutcomeText<HeapRange>;
  /** Where the RGBA pixels go, row by row. */
  classifyPicture(job: ClassifyJob, width: number, height: number): OutcomeText<HeapRange>;
  /** The layers, one a step. */
  startClassify(
    job: ClassifyJob,
  ): OutcomeText<{ op: string; index: number; shape: [number, number, number] }[]>;
  stepClassify(job: ClassifyJob): OutcomeText<boolean>;
  /** A Classification without its layers. */
  classified(job: ClassifyJob): OutcomeText<unknown>;
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

/** What a page needs to generate text. Texts are UTF-8, settings JSON. A prompt is a text, with the special
 *  tokens around it unless settings say `special: false`, or the `ids` of the settings. */
export interface GenerateModule extends CoreModule {
  /** Fill it as a ByteSink, then with neededTensors(). */
  beginGenerator(source: PartialSource, settings: string): OutcomeText<GeneratorLoader>;
  /** Those of a model whose layers are not held that are held nevertheless. */
  neededTensors(loader: GeneratorLoader): OutcomeText<TensorPlace[]>;
  /** Where the bytes of a tensor go; then call `putTensor`. */
  tensorWindow(taker: TensorTaker, tensor: number): OutcomeText<HeapRange>;
  putTensor(taker: TensorTaker): OutcomeText<null>;
  finishGenerator(loader: GeneratorLoader): OutcomeText<GeneratorSession>;
  /** `info` is a FileInfo with GeneratorInfo, whose speeds of streaming are missing. */
  generatorFacts(session: GeneratorSession): OutcomeText<{ info: unknown; weightBytes: number }>;
  /** Tokens. */
  tokenizeText(session: GeneratorSession, text: Uint8Array, special: boolean): OutcomeText<unknown>;
  /** `ids` is a JSON array of numbers. */
  detokenizeIds(session: GeneratorSession, ids: string, skipSpecial: boolean): OutcomeText<string>;

  /** Drops parts until this one has room, and says which tensors it lacks. */
  roomFor(session: GeneratorSession, part: number): OutcomeText<TensorPlace[]>;
  /** What the next part after this one lacks, to be read ahead. */
  lackingNext(session: GeneratorSession, part: number): OutcomeText<TensorPlace[]>;

  /** `settings` are GenerateOptions, with all stop texts in a list. Then stepGenerate() until it is done. */
  beginGenerate(
    session: GeneratorSession,
    text: Uint8Array,
    settings: string,
  ): OutcomeText<GenerateJob>;
  /** Does a moment's work. Tokens of the prompt are counted until there is a first one of the answer. */
  stepGenerate(
    job: GenerateJob,
  ): OutcomeText<PassProgress & { made: number; tokens: GeneratedToken[] }>;
  /** Until now; `stop` is null while there is no reason. */
  generated(job: GenerateJob): OutcomeText<{
    promptIds: number[];
    ids: number[];
    text: string;
    stop: 'eos' | 'stop' | 'length' | 'context' | null;
  }>;

  /** `settings` may say `all`. Then stepLogits() until it is done. */
  beginLogits(
    session: GeneratorSession,
    text: Uint8Array,
    settings: string,
  ): OutcomeText<LogitsJob>;
  stepLogits(job: LogitsJob): OutcomeText<PassProgress>;
  /** Rows of f32. */
  logitRows(job: LogitsJob): OutcomeText<HeapRange>;

  beginPerplexity(
    session: GeneratorSession,
    text: Uint8Array,
    settings: string,
  ): OutcomeText<PerplexityJob>;
  stepPerplexity(job: PerplexityJob): OutcomeText<PassProgress>;
  /** A Perplexity. */
  perplexityReport(job: PerplexityJob): OutcomeText<unknown>;
}

export interface GeneratedToken {
  index: number;
  id: number;
  text: string;
  logprob?: number;
  probability?: number;
  top?: { id: number; token: string; logprob: number }[];
}

/** The module with everything. */
export interface AmbryModule extends RunModule, WordsModule, ClassifyModule, GenerateModule {
  /** JSON array of registry ids. */
  formatIds(): string;
  /** A FileInfo. */
  inspect(source: PartialSource, vocabulary: boolean): OutcomeText<unknown>;
  beginValidation(
    source: PartialSource,
    strict: boolean,
    values: boolean,
    checksums: boolean,
    vocabulary: boolean,
  ): OutcomeText<Validation>;
  /** A ValidationReport. */
  finishValidation(validation: Validation): OutcomeText<unknown>;
  /** Of any kind: from a model file with a vocabulary, a tokenizer.json, tokenizer.model or vocab.txt. */
  openTokenizer(source: PartialSource): OutcomeText<TextTokenizer>;
  /** A TokenizerInfo. */
  tokenizerInfo(tokenizer: TextTokenizer): OutcomeText<unknown>;
  /** As `tokenize` and `detokenize`, which are of an encoder's tokenizer. */
  tokenizeWith(
    tokenizer: TextTokenizer,
    text: Uint8Array,
    special: boolean,
    hasPair: boolean,
    pair: Uint8Array,
  ): OutcomeText<unknown>;
  detokenizeWith(tokenizer: TextTokenizer, ids: string, skipSpecial: boolean): OutcomeText<string>;

  /** Of a float network of tinyRuntime’s; fill it as a ByteSink, then show it images. `plan` is JSON, or
   *  empty. */
  beginCalibration(source: PartialSource, plan: string): OutcomeText<Calibration>;
  /** Where so many floats of the next image go; then call `calibrateOnImage`. */
  calibrationImage(calibration: Calibration, numbers: number): OutcomeText<HeapRange>;
  /** The same for the pixels of a picture, RGBA. */
  calibrationPicture(
    calibration: Calibration,
    width: number,
    height: number,
  ): OutcomeText<HeapRange>;
  calibrateOnImage(calibration: Calibration): OutcomeText<null>;
  /** For the option `ranges` of a quantisation. */
  calibrationRanges(calibration: Calibration): OutcomeText<unknown>;

  /** `options` is JSON of {texts, window}. */
  beginActivations(session: GeneratorSession, options: string): OutcomeText<ActivationJob>;
  stepActivations(job: ActivationJob): OutcomeText<PassProgress>;
  finishActivations(job: ActivationJob): OutcomeText<Activations>;

  createFiles(): OutcomeText<ConversionFiles>;
  addFile(files: ConversionFiles, name: string, bytes: Uint8Array): OutcomeText<null>;
  /** The first is the main file; further ones are the shards that an index among the files names. */
  addWeights(files: ConversionFiles, name: string, source: PartialSource): OutcomeText<null>;
  /** Of the sources, NeedBytes means the one whose number is `needFile`. `options` is JSON of
   *  {to, from, arch, dtype, lossy, unnormalize, metadata, reconstruct, explicit, select, quantize}; errors of
   *  an adaptive quantisation are weighed by `activations`, 0 for none. */
  beginConversion(
    files: ConversionFiles,
    options: string,
    activations: Activations | 0,
  ): OutcomeText<Conversion>;
  /** What the sources can become, under the same options without `to`. */
  conversionTargets(
    files: ConversionFiles,
    options: string,
  ): OutcomeText<{ from: string; targets: { to: string; problem: unknown }[] }>;
  /** `totalBytes` are those of the target, an estimate until `bytesToMeasure` of the source have been read;
   *  `warnings`, Problems, say what was left out or guessed. */
  conversionFacts(
    conversion: Conversion,
  ): OutcomeText<{ totalBytes: number; bytesToMeasure: number; warnings: unknown[] }>;
  /** A ConversionReport, whose errors are all there when the conversion is done; null when there is none. */
  conversionReport(conversion: Conversion): OutcomeText<unknown>;
  /** Does work up to the next read or write. A read must be filled, a write taken, before calling again. */
  nextStep(conversion: Conversion): OutcomeText<ConversionStep>;
}

declare const createAmbryModule: (options?: {
  instantiateWasm?: (
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module?: WebAssembly.Module) => void,
  ) => object;
}) => Promise<AmbryModule>;
export default createAmbryModule;

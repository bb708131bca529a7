// The shape of the modules: every function that the bindings have, and what it gives. types.d.mts has the types
// that cross.
import type {
  AccuracyJob,
  ActivationJob,
  Activations,
  ByteSink,
  Calibration,
  ClassifierLoader,
  ClassifierSession,
  ClassifyJob,
  CodeLoader,
  Conversion,
  ConversionFiles,
  ConversionStep,
  EmbeddedRows,
  EmbedJob,
  EncoderLoader,
  EncoderSession,
  GeneratedToken,
  GenerateJob,
  GeneratorLoader,
  GeneratorSession,
  Handle,
  HeapRange,
  IndexReader,
  Lanes,
  LogitsJob,
  OutcomeText,
  PartialSource,
  PassProgress,
  PerplexityJob,
  SentenceJob,
  TensorPlace,
  TensorTaker,
  TextTokenizer,
  Tokenizer,
  Validation,
  VectorIndex,
  WordBatch,
  WordsLoader,
  WordsSession,
} from './types.mjs';

export type * from './types.mjs';

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

/** What a page needs to look into files. */
export interface InspectModule extends CoreModule {
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
}

/** What a page needs for a tokenizer by itself. */
export interface TokenizeModule extends CoreModule {
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
}

/** What a page needs to convert files, and to quantise them where no model has to run for it. */
export interface ConvertModule extends InspectModule {
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

/** The module with everything. */
export interface AmbryModule
  extends RunModule,
    WordsModule,
    ClassifyModule,
    GenerateModule,
    TokenizeModule,
    ConvertModule {
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

  /** The core's tables as JSON (core/api/files/tables.h). The package has them in tables.ts. */
  tables(): string;
}

declare const createAmbryModule: (options?: {
  instantiateWasm?: (
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module?: WebAssembly.Module) => void,
  ) => object;
}) => Promise<AmbryModule>;
export default createAmbryModule;

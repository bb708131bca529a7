// The kinds of models, the scripts of workers and the entries for one purpose. web/build/write-entries.mjs makes of these rows
// what only repeats: built/ has the lists of all kinds, a script for each row of `workers`, and each row of `entries` as a file
// for pages and one for Node.
import type { ModelKind } from '../model/kind.ts';
import type { WorkerName } from '../platform/platform.ts';
import type { ModuleName } from '../wasm/module.mjs';

/** A function, and the file that has it, from web/src. */
type Reference = readonly [name: string, file: string];

/** A kind of models, as `open` returns them. */
interface KindRow {
  /** A model of the kind in words, as sentences name it. */
  readonly is: string;
  readonly class: Reference;
  /** The file with its public types. */
  readonly types: string;
  /** The worker that runs it. If that has a row in `workers`, its script opens models of this kind and no others. */
  readonly worker: WorkerName;
  /** Chooses the worker where there are several. */
  readonly chooseWorker?: Reference;
  /** Makes the model where the class alone does not. */
  readonly make?: Reference;
  /** Makes it in pages whose entry is for encoders, in place of `make`. */
  readonly makeOfEncoder?: Reference;
}

export const kinds: Readonly<Record<ModelKind, KindRow>> = {
  encoder: {
    is: 'a sentence encoder',
    class: ['Encoder', 'encoder/client.ts'],
    types: 'encoder/types.ts',
    worker: 'encoder-small',
    chooseWorker: ['encoderWorker', 'encoder/choose-worker.ts'],
  },
  reranker: {
    is: 'a reranker',
    class: ['Reranker', 'reranker/client.ts'],
    types: 'reranker/types.ts',
    worker: 'encoder-small',
    chooseWorker: ['encoderWorker', 'encoder/choose-worker.ts'],
    make: ['openReranker', 'reranker/open.ts'],
    makeOfEncoder: ['openEncoderReranker', 'reranker/open-encoder.ts'],
  },
  tokenClassifier: {
    is: 'a token classifier',
    class: ['TokenClassifier', 'token-classifier/client.ts'],
    types: 'token-classifier/types.ts',
    worker: 'encoder-small',
    chooseWorker: ['encoderWorker', 'encoder/choose-worker.ts'],
  },
  questionAnswering: {
    is: 'a model that answers questions from a text',
    class: ['QuestionAnswerer', 'question-answering/client.ts'],
    types: 'question-answering/types.ts',
    worker: 'encoder-small',
    chooseWorker: ['encoderWorker', 'encoder/choose-worker.ts'],
  },
  fillMask: {
    is: 'a model that fills in missing words',
    class: ['MaskFiller', 'fill-mask/client.ts'],
    types: 'fill-mask/types.ts',
    worker: 'encoder-small',
    chooseWorker: ['encoderWorker', 'encoder/choose-worker.ts'],
    make: ['openMaskFiller', 'fill-mask/open.ts'],
  },
  sparseEncoder: {
    is: 'a sparse encoder',
    class: ['SparseEncoder', 'sparse-encoder/client.ts'],
    types: 'sparse-encoder/types.ts',
    worker: 'encoder-small',
    chooseWorker: ['encoderWorker', 'encoder/choose-worker.ts'],
  },
  words: {
    is: 'word vectors',
    class: ['WordVectors', 'words/client.ts'],
    types: 'words/types.ts',
    worker: 'words',
  },
  imageClassifier: {
    is: 'an image classifier',
    class: ['ImageClassifier', 'image-classifier/client.ts'],
    types: 'image-classifier/types.ts',
    worker: 'image-classifier',
  },
  textClassifier: {
    is: 'a text classifier',
    class: ['TextClassifier', 'text-classifier/client.ts'],
    types: 'text-classifier/types.ts',
    worker: 'text-classifier',
  },
  generator: {
    is: 'a model that generates text',
    class: ['Generator', 'generator/client.ts'],
    types: 'generator/base/types.ts',
    worker: 'generator',
    make: ['openGenerator', 'generator/threads.ts'],
  },
};

/** A script that serves the calls of one feature, over one module. */
interface ScriptRow {
  /** What it is for, in words. */
  readonly is: string;
  /** The module of WebAssembly. */
  readonly module: ModuleName;
  readonly handlers: Reference;
  /** The worker whose script serves this one, too. The scripts of workers that differ in their module alone are nearly equal. */
  readonly script?: WorkerName;
}

/** `null` stands for a script that is written out, in workers/. */
export const workers: Readonly<Record<WorkerName, ScriptRow | null>> = {
  'encoder-small': null,
  'encoder-small-cached': {
    is: 'encoders and indexes whose files are cached, or whose SHA-256 is checked',
    module: 'encoder-small',
    handlers: ['encoderAndIndexHandlers', 'entries/handlers/encoder-handlers.ts'],
    script: 'encoder',
  },
  encoder: {
    is: 'encoders of every architecture and with every tokenizer, and indexes',
    module: 'encoder',
    handlers: ['everyEncoderAndIndexHandlers', 'entries/handlers/encoder-handlers.ts'],
  },
  'static-small': {
    is: 'static encoders with WordPiece, and for indexes beside them',
    module: 'static-small',
    handlers: ['staticAndIndexHandlers', 'entries/handlers/static-handlers.ts'],
    script: 'static',
  },
  static: {
    is: 'static encoders with every tokenizer, and for indexes beside them',
    module: 'static',
    handlers: ['everyStaticAndIndexHandlers', 'entries/handlers/static-handlers.ts'],
  },
  words: {
    is: 'word vectors',
    module: 'words',
    handlers: ['wordsHandlers', 'words/worker.ts'],
  },
  vectors: {
    is: "the caller's own vectors",
    module: 'vectors',
    handlers: ['vectorHandlers', 'search/vectors/worker.ts'],
  },
  'image-classifier': {
    is: 'image classifiers',
    module: 'image-classifier',
    handlers: ['imageClassifierHandlers', 'image-classifier/worker.ts'],
  },
  'text-classifier': {
    is: 'models of fastText that classify texts',
    module: 'text-classifier',
    handlers: ['fastTextHandlers', 'text-classifier/worker.ts'],
  },
  generator: {
    is: 'models that generate text',
    module: 'generator',
    handlers: ['generatorHandlers', 'generator/worker.ts'],
  },
  inspect: {
    is: 'looking into files',
    module: 'inspect',
    handlers: ['inspectHandlers', 'inspect/worker-inspect.ts'],
  },
  tokenizer: {
    is: 'tokenizers by themselves',
    module: 'tokenizer',
    handlers: ['tokenizerHandlers', 'tokenizer/worker.ts'],
  },
  convert: {
    is: 'converting files, and looking into them',
    module: 'convert',
    handlers: ['convertAndInspectHandlers', 'entries/handlers/convert-handlers.ts'],
  },
  onnx: {
    is: 'converting ONNX files, and looking into them',
    module: 'onnx',
    handlers: ['convertAndInspectHandlers', 'entries/handlers/convert-handlers.ts'],
    script: 'convert',
  },
  'kept-vectors': null,
  'chat-template': null,
  all: null,
};

/** An entry of the package for one purpose, `ambry/<name>`. A page that imports it ships the scripts of these workers and no
 *  others. */
interface EntryRow {
  /** What it is for, in words. */
  readonly is: string;
  readonly workers: readonly WorkerName[];
  /** The classes whose types it exports, each with its file. */
  readonly classes: Readonly<Record<string, string>>;
  /** Takes the platform, and gives an object with the functions `exports`. Without it, the entry opens models of `kind`. */
  readonly make?: Reference;
  readonly exports?: readonly string[];
  /** What it exports as it is, by the file. */
  readonly others?: Readonly<Record<string, readonly string[]>>;
  readonly kind?: ModelKind;
  /** The kinds that `make` opens. */
  readonly kinds?: readonly ModelKind[];
}

/** An entry that opens models of one kind, and may need more workers and classes. */
function entryOf(
  kind: ModelKind,
  workers: readonly WorkerName[] = [],
  classes: EntryRow['classes'] = {},
): EntryRow {
  const {
    is,
    class: [name, file],
    worker,
  } = kinds[kind];
  return { is, workers: [worker, ...workers], classes: { ...classes, [name]: file }, kind };
}

/** How alike vectors are. */
const products = { 'model/cosine.ts': ['cosine', 'dot', 'type Vector'] };

export const entries: Readonly<Record<string, EntryRow>> = {
  encoder: {
    is: 'sentence encoders, encoders with a head, and indexes and classifiers for them',
    workers: [
      'encoder-small',
      'encoder-small-cached',
      'encoder',
      'static-small',
      'static',
      'kept-vectors',
    ],
    classes: {
      Encoder: 'encoder/client.ts',
      MaskFiller: 'fill-mask/client.ts',
      QuestionAnswerer: 'question-answering/client.ts',
      Reranker: 'reranker/client.ts',
      SearchIndex: 'search/search-index.ts',
      SparseEncoder: 'sparse-encoder/client.ts',
      TokenClassifier: 'token-classifier/client.ts',
      TrainedClassifier: 'text-classifier/trained/client.ts',
    },
    make: ['encoderEntry', 'entries/encoder-entry.ts'],
    kinds: [
      'encoder',
      'reranker',
      'tokenClassifier',
      'questionAnswering',
      'fillMask',
      'sparseEncoder',
    ],
    exports: [
      'open',
      'openReranker',
      'openTokenClassifier',
      'openQuestionAnswerer',
      'openMaskFiller',
      'openSparseEncoder',
      'createIndex',
      'openIndex',
      'createClassifier',
    ],
    others: { ...products, 'sparse-encoder/dot.ts': ['sparseDot'] },
  },
  'static-encoder': {
    is: 'static encoders alone',
    workers: ['static-small', 'static'],
    classes: { Encoder: 'encoder/client.ts' },
    make: ['staticEncoderEntry', 'entries/static-encoder-entry.ts'],
    exports: ['open'],
    others: products,
  },
  vectors: {
    is: "indexes of the caller's own vectors",
    workers: ['vectors'],
    classes: { VectorIndex: 'search/vectors/vector-index.ts' },
    make: ['vectorsEntry', 'entries/vectors-entry.ts'],
    exports: ['createVectorIndex', 'openVectorIndex', 'clusterVectors', 'projectVectors'],
    others: products,
  },
  words: { ...entryOf('words'), others: products },
  'image-classifier': entryOf('imageClassifier'),
  'text-classifier': entryOf(
    'textClassifier',
    ['encoder-small', 'encoder-small-cached', 'encoder', 'inspect'],
    { TrainedClassifier: 'text-classifier/trained/client.ts' },
  ),
  generator: entryOf('generator', ['chat-template'], { ChatSession: 'generator/session.ts' }),
  tokenizer: {
    is: 'tokenizers without models',
    workers: ['tokenizer', 'chat-template', 'convert', 'onnx'],
    classes: { FileTokenizer: 'file-tokenizer/client.ts', Tokenizer: 'tokenizer/client.ts' },
    make: ['tokenizerEntry', 'entries/tokenizer-entry.ts'],
    exports: ['openTokenizer'],
  },
  files: {
    is: 'looking into model files, converting them, and tokenizers by themselves',
    workers: ['inspect', 'tokenizer', 'chat-template', 'convert', 'onnx'],
    classes: { FileTokenizer: 'file-tokenizer/client.ts', Tokenizer: 'tokenizer/client.ts' },
    make: ['filesEntry', 'entries/files-entry.ts'],
    exports: ['inspect', 'validate', 'convert', 'conversionTargets', 'openTokenizer'],
  },
};

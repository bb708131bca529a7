// The scripts of workers and the entries for one purpose. web/build/write-entries.mjs makes of these rows what only repeats:
// built/ has a script for each row of `workers`, and each row of `entries` as a file for pages and one for Node.
import type { ModelKind, RunKind } from '../model/kind.ts';
import type { WorkerName } from '../platform/platform.ts';
import type { ModuleName } from '../wasm/module.mjs';

/** A function, and the file that has it, from web/src. */
type Reference = readonly [name: string, file: string];

/** A script that serves the calls of one feature, over one module. */
export interface ScriptRow {
  /** What it is for, in words. */
  readonly is: string;
  /** The module of WebAssembly. */
  readonly module: ModuleName;
  readonly handlers: Reference;
  /** The kind of model that the handlers run, if they are those of a model. */
  readonly kind?: RunKind;
}

/** `null` stands for a script that is written out, in workers/. */
export const workers: Readonly<Record<WorkerName, ScriptRow | null>> = {
  'encoder-small': null,
  'encoder-small-cached': {
    is: 'encoders and indexes whose files are cached, or whose SHA-256 is checked',
    module: 'encoder-small',
    handlers: ['encoderAndIndexHandlers', 'entries/handlers/encoder-handlers.ts'],
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
    kind: 'words',
  },
  vectors: {
    is: "the caller's own vectors",
    module: 'vectors',
    handlers: ['vectorHandlers', 'search/vectors/worker.ts'],
  },
  'image-classifier': {
    is: 'networks that classify pictures',
    module: 'image-classifier',
    handlers: ['classifierHandlers', 'classifier/worker.ts'],
    kind: 'classifier',
  },
  'text-classifier': {
    is: 'classifiers of texts',
    module: 'text-classifier',
    handlers: ['textClassifierHandlers', 'text-classifier/worker.ts'],
    kind: 'textClassifier',
  },
  generator: {
    is: 'models that generate text',
    module: 'generator',
    handlers: ['generatorHandlers', 'generator/worker.ts'],
    kind: 'generator',
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
  readonly kind?: ModelKind;
}

export const entries: Readonly<Record<string, EntryRow>> = {
  encoder: {
    is: 'sentence encoders, rerankers, and indexes for them',
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
      Reranker: 'reranker/client.ts',
      SearchIndex: 'search/search-index.ts',
    },
    make: ['encoderEntry', 'entries/encoder-entry.ts'],
    exports: ['open', 'openReranker', 'createIndex', 'loadIndex'],
  },
  'static-encoder': {
    is: 'static encoders alone',
    workers: ['static-small', 'static'],
    classes: { Encoder: 'encoder/client.ts' },
    make: ['staticEncoderEntry', 'entries/static-encoder-entry.ts'],
    exports: ['open'],
  },
  vectors: {
    is: "indexes of the caller's own vectors",
    workers: ['vectors'],
    classes: { VectorIndex: 'search/vectors/vector-index.ts' },
    make: ['vectorsEntry', 'entries/vectors-entry.ts'],
    exports: ['createIndex', 'loadIndex', 'clusterVectors', 'projectVectors'],
  },
  words: {
    is: 'word vectors',
    workers: ['words'],
    classes: { WordVectors: 'words/client.ts' },
    kind: 'words',
  },
  classifier: {
    is: 'networks that classify pictures',
    workers: ['image-classifier'],
    classes: { Classifier: 'classifier/client.ts' },
    kind: 'classifier',
  },
  'text-classifier': {
    is: 'classifiers of texts',
    workers: ['text-classifier'],
    classes: { TextClassifier: 'text-classifier/client.ts' },
    kind: 'textClassifier',
  },
  generator: {
    is: 'language models',
    workers: ['generator', 'chat-template'],
    classes: { ChatSession: 'generator/session.ts', Generator: 'generator/client.ts' },
    kind: 'generator',
  },
  files: {
    is: 'looking into model files, converting them, and tokenizers by themselves',
    workers: ['inspect', 'tokenizer', 'convert'],
    classes: { Tokenizer: 'tokenizer/client.ts' },
    make: ['filesEntry', 'entries/files-entry.ts'],
    exports: ['inspect', 'validate', 'convert', 'conversionTargets', 'openTokenizer'],
  },
};

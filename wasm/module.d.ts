// The shape of the compiled module, kept by hand beside the bindings. Everything structured crosses as
// JSON text; text crosses as UTF-8 bytes; big data is written to and read from the heap by address.

export interface WireError {
  code: string;
  message: string;
  byteOffset?: number;
  path?: string;
  /** NeedBytes only: bytes wanted from `byteOffset` on. Without a `byteOffset` the size is wanted. */
  needSize?: number;
}

export type Outcome<T> = { ok: true; value: T } | { ok: false; error: WireError };

/** A place in the heap. Growing the heap detaches views: take `HEAPU8` anew after every call. */
export interface HeapRange {
  address: number;
  size: number;
}

interface Handle {
  /** Frees the C++ object. */
  delete(): void;
}

/** A file, held in part. */
export interface PartialSource extends Handle {
  insert(offset: number, bytes: Uint8Array): Outcome<null>;
  /** The file ended here; its size had not been known. */
  endsAt(size: number): void;
}

/** Takes the file's bytes in order, from `start()` on, `wanted()` of them: write up to `window().size`
 *  bytes at `window().address`, then `commit(n)`. */
export interface ByteSink extends Handle {
  start(): number;
  wanted(): number;
  window(): HeapRange;
  commit(n: number): Outcome<null>;
}

export interface Validation extends ByteSink {
  /** JSON of ValidationReport. */
  finish(): string;
}

export interface EncoderLoader extends ByteSink {
  finish(): Outcome<EncoderSession>;
}

export interface Tokenizer extends Handle {
  /** JSON of TokenizerInfo. */
  info(): string;
  /** JSON of Tokens. `pair` is empty bytes with hasPair false when there is none. */
  tokenize(text: Uint8Array, special: boolean, hasPair: boolean, pair: Uint8Array): Outcome<string>;
  /** `ids` is a JSON array of numbers; special tokens are left out of the text when `skipSpecial`. */
  detokenize(ids: string, skipSpecial: boolean): Outcome<string>;
}

export interface EncoderSession extends Handle {
  /** JSON of FileInfo. */
  info(): string;
  /** Bytes of heap that the weights take. */
  weightBytes(): number;
  tokenizer(): Tokenizer;
  /** `options` is JSON of EmbedOptions without signal and onProgress. */
  beginEmbed(options: string): Outcome<EmbedJob>;
}

/** add() every text, start(), then step() until it says true; the rows come in the order of add(). */
export interface EmbedJob extends Handle {
  add(text: Uint8Array): void;
  start(): Outcome<null>;
  /** Runs one batch; true when all texts are done. */
  step(): Outcome<boolean>;
  doneTexts(): number;
  /** Numbers in a row of the result. */
  dim(): number;
  /** All rows as f32, `size` in bytes; for pooling `none` the token rows of all texts, concatenated. */
  result(): HeapRange;
  /** Rows of each text: ones, or for pooling `none` the number of tokens. u32, `size` in bytes. */
  rowCounts(): HeapRange;
}

export interface ConversionStep {
  kind: 'read' | 'write' | 'done';
  /** read: file offset of the bytes to put at `address`; write: where the bytes go in the target. */
  offset: number;
  address: number;
  size: number;
}

export interface Conversion extends Handle {
  /** The size of the target in bytes. */
  totalBytes(): number;
  /** JSON array of Problem: what was left out or guessed. */
  warnings(): string;
  /** Does work up to the next read or write. A read must be filled, a write taken, before calling again. */
  next(): Outcome<ConversionStep>;
}

/** Small side files of a model directory, whole. */
export interface ConversionFiles extends Handle {
  add(name: string, bytes: Uint8Array): void;
}

export interface VectorIndex extends Handle {
  dim(): number;
  size(): number;
  /** Appends rows: the bytes of `dim()` little-endian f32 each. */
  append(rows: Uint8Array): Outcome<null>;
  /** JSON of [{row, score}], best first, ties by row; the query is the bytes of `dim()` f32. */
  search(query: Uint8Array, k: number): Outcome<string>;
  /** The whole index file; `header` is JSON text kept with it. Valid until the next call. */
  save(header: Uint8Array): Outcome<HeapRange>;
  /** The JSON text that was saved with it. */
  header(): string;
}

/** An index file being read: write its bytes at `window().address`, then finish(). */
export interface IndexReader extends Handle {
  window(): HeapRange;
  finish(): Outcome<VectorIndex>;
}

export interface AmbryModule {
  HEAPU8: Uint8Array;
  /** `size` is -1 while it is unknown. A file that `streamsBy` can be had only once and in order: what
   *  stands at its end is checked when it passes, and only `inspect` and `beginLoad` take it. */
  PartialSource: new (
    size: number,
    streamsBy?: boolean,
  ) => PartialSource;
  ConversionFiles: new () => ConversionFiles;
  /** `baseline` or `relaxed` */
  simdFlavour(): string;
  /** JSON array of registry ids. */
  formatIds(): string;
  /** JSON of FileInfo. */
  inspect(source: PartialSource): Outcome<string>;
  beginValidation(source: PartialSource, strict: boolean, values: boolean): Outcome<Validation>;
  beginLoad(source: PartialSource, weights: string): Outcome<EncoderLoader>;
  /** From a model file with a vocabulary, a tokenizer.json or a vocab.txt. */
  openTokenizer(source: PartialSource): Outcome<Tokenizer>;
  /** `files` are the side files of a directory (none for a plain model file); `options` is JSON of
   *  {to, dtype, metadata}. */
  beginConversion(
    source: PartialSource,
    files: ConversionFiles,
    options: string,
  ): Outcome<Conversion>;
  /** An empty index of vectors of `dim` numbers. */
  createIndex(dim: number): Outcome<VectorIndex>;
  /** An index file of `size` bytes. */
  openIndex(size: number): Outcome<IndexReader>;
}

declare const createAmbryModule: (options?: {
  instantiateWasm?: (
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module?: WebAssembly.Module) => void,
  ) => object;
}) => Promise<AmbryModule>;
export default createAmbryModule;

// The package in a browser. Node takes node.ts, which has the same names.

import { called } from './base/call.ts';
import { AmbryError } from './base/errors.ts';
import type {
  Quantized,
  QuantizeOptions,
  QuantizeToFileOptions,
} from './convert/quantize-types.ts';
import type { DistillOptions, DistillToFileOptions } from './distill/types.ts';
import type { DoctorCheck } from './doctor/types.ts';
import type { Encoder } from './encoder/client.ts';
import { browser } from './entries/browser.ts';
import type {
  Generator,
  ImageClassifier,
  MaskFiller,
  Model,
  ModelOfKind,
  QuestionAnswerer,
  Reranker,
  SparseEncoder,
  TextClassifier,
  TokenClassifier,
} from './entries/built/kinds/models.ts';
import { openers } from './entries/built/kinds/openers.ts';
import type { FileTokenizer, OpenTokenizerOptions } from './file-tokenizer/client.ts';
import type { StoredJournal } from './generator/base/journal-types.ts';
import { pageJournal } from './generator/journal/page-journal.ts';
import type { ChatSession } from './generator/session.ts';
import type { ModelKind } from './model/kind.ts';
import { openModel } from './model/open.ts';
import type { OpenOptions } from './model/types.ts';
import type { Pixels, RuntimeOptions } from './platform/types.ts';
import type { JobOptions } from './rpc/types.ts';
import type { SearchIndex } from './search/search-index.ts';
import type { VectorIndex } from './search/vectors/vector-index.ts';
import type {
  FetchOptions,
  ModelDirectory,
  ModelParts,
  ModelSource,
} from './sources/base/types.ts';
import { cacheControl } from './sources/cache/control.ts';
import type { CacheControl } from './sources/cache/types.ts';
import type { TrainedClassifier } from './text-classifier/trained/client.ts';
import type { ClassifierExample, ClassifierOptions } from './text-classifier/trained/types.ts';
import type { Tokenizer } from './tokenizer/client.ts';
import type { WordVectors } from './words/client.ts';

export type * from './entries/built/kinds/models.ts';
export * from './entries/main/files.ts';
export * from './entries/main/search.ts';
export type * from './entries/types.ts';
export { cosine, dot, type Vector } from './model/cosine.ts';
export { sparseDot } from './sparse-encoder/dot.ts';
export type {
  ChatSession,
  FileTokenizer,
  OpenTokenizerOptions,
  SearchIndex,
  Tokenizer,
  TrainedClassifier,
  VectorIndex,
};
export { AmbryError };
/**
 * Opens a model in a worker of its own. Bytes stream straight to the place where they are used, so the peak of memory
 * is the model and one chunk.
 *
 * The name of one part of a split GGUF model (`name-00001-of-00003.gguf`) stands for all parts, which lie beside it.
 * Parts that are Blobs are given together.
 *
 * A language model that states how it makes embeddings is an {@link Encoder}, unless `kind` is `generator`.
 *
 * An encoder with a classification head is a {@link Reranker} if the head has one label, and a {@link TextClassifier} if it
 * has more; `kind` wins, as in `{ kind: 'encoder' }`.
 *
 * An encoder whose head gives a label to every token is a {@link TokenClassifier}, and one with a head for extractive question
 * answering is a {@link QuestionAnswerer}. A masked language model is an {@link Encoder}, and a {@link MaskFiller} with
 * `{ kind: 'fillMask' }`. The directory of SPLADE is a {@link SparseEncoder}, and so is that of any masked language model with
 * `{ kind: 'sparseEncoder' }`.
 *
 * The result is an {@link Encoder}, a {@link Reranker}, a {@link TextClassifier}, a {@link TokenClassifier}, a
 * {@link QuestionAnswerer}, a {@link MaskFiller}, a {@link SparseEncoder}, {@link WordVectors}, an {@link ImageClassifier} or a {@link Generator};
 * `model.kind` says which. With the option `kind` the result is typed as that kind, and a page
 * downloads code for nothing else.
 *
 * A source that does not run as it is, is converted without loss while it is opened: the directory of an encoder or a
 * language model (`config.json`, tokenizer, and weights as safetensors or `pytorch_model.bin`), as a map of files or
 * addresses, or by its own address, which ends with a slash, or in Node by its path; word vectors of word2vec, GloVe,
 * fastText and floret; a GGUF file of a sentence encoder. `model.info.convertedTo` then says to which format, and the option
 * `onWarning` tells what was left out or guessed.
 *
 * Rejects with an {@link AmbryError}. `BadMagic`, `Truncated`, `BadValue`, … say at which byte and in which field the
 * file is wrong; `Http` says what a server did. An abort rejects with an `AbortError`. An option that there is not is
 * refused with `BadValue` at `options.NAME`, as by every call of the package.
 *
 * @example
 * const model = await open('/models/minilm.weights', { kind: 'encoder' });
 * const [first, second] = await model.embed(['first text', 'second text']);
 * console.log(cosine(first, second));
 * await model.dispose();
 *
 * @example
 * const model = await open(file);
 * if (model.kind === 'generator') for await (const { text } of model.generate('Once')) write(text);
 *
 * @example
 * const model = await open('hf:owner/name/model.weights', { cache: true }); // a file at the hub
 *
 * @example
 * const model = await open('/models/all-MiniLM-L6-v2/', { kind: 'encoder', weights: 'int8' });
 *
 * @example
 * const model = await open('/vectors.fifu', { mode: 'range' });
 * const vector = await model.vector('harbour');
 */
export function open(
  source: ModelSource | ModelParts,
  options: OpenOptions & Required<Pick<OpenOptions, 'encoder'>>,
): Promise<TrainedClassifier>;
export function open<K extends ModelKind>(
  source: ModelSource | ModelParts,
  options: OpenOptions & { readonly kind: K },
): Promise<ModelOfKind[K]>;
export function open(
  source: ModelSource | ModelParts,
  options: OpenOptions & { readonly mode: 'range' },
): Promise<WordVectors>;
export function open(source: ModelSource | ModelParts, options?: OpenOptions): Promise<Model>;
export function open(source: ModelSource | ModelParts, options: OpenOptions = {}): Promise<Model> {
  return called(open, () => openModel(openers, browser, source, options));
}

/**
 * Opens only a tokenizer; no weights are loaded. The source is a `tokenizer.json`, a `tokenizer.model`, a `tekken.json`, a
 * file of tiktoken, a `vocab.txt` or a model file; or a directory with one of these, from which the template for conversations
 * is taken, too (`tokenizer_config.json`, `chat_template.jinja`).
 *
 * Special tokens in a text are found, also those of a `tekken.json` and of tiktoken, and a text begins with `<s>` of a
 * `tekken.json` or with `<|begin_of_text|>` of Llama unless `special` is false, as with the `tokenizer.json` of these models.
 *
 * A `vocab.txt` does not say whether its model is uncased: the option `lowercase` does. A file of tiktoken does not say how it
 * splits texts: its number of tokens tells it, or the option `encoding`. `tokenizer.tokenizer.warnings` says what was assumed.
 *
 * @example
 * const tokenizer = await openTokenizer('/models/vocab.txt');
 * const { ids, offsets } = await tokenizer.tokenize('Hello world');
 */
export function openTokenizer(
  source: ModelSource | ModelDirectory,
  options: OpenTokenizerOptions = {},
): Promise<FileTokenizer> {
  return called(openTokenizer, async () => {
    const tokenizer = await import('./file-tokenizer/client.ts');
    return tokenizer.openTokenizer(browser, source, options);
  });
}

/**
 * Stores the matrices of a model in fewer bits, and reports what that loses: sizes, errors of every tensor,
 * and for models that can be run how alike their outputs are.
 *
 * @example
 * const { blob, report } = await quantize(file, { type: 'int4_block', block: 32, keep: /embed_tokens/ });
 */
export function quantize(
  source: ModelSource | ModelDirectory,
  options: QuantizeOptions | QuantizeToFileOptions,
): Promise<Quantized> {
  return called(quantize, async () => {
    const quantization = await import('./convert/quantize.ts');
    return quantization.quantize(browser, open, source, options);
  });
}

/**
 * Makes a static encoder of a sentence encoder: a file of 1 to 4 MB that embeds texts a hundred times as fast, with a
 * module of its own. Each token of the vocabulary goes through the encoder once; a text's vector is then a weighted mean.
 * The result is an EMBD file, which `open` opens as an encoder. Equal input gives equal bytes.
 *
 * The source is anything that `open` takes as an encoder. Rejects with `Unsupported` for other models.
 *
 * @example
 * const small = await distill('/models/minilm.weights', { dim: 256 });
 * const model = await open(small, { kind: 'encoder' });
 */
export function distill(
  source: ModelSource | ModelDirectory,
  options: DistillToFileOptions,
): Promise<null>;
export function distill(
  source: ModelSource | ModelDirectory,
  options?: DistillOptions,
): Promise<Blob>;
export function distill(
  source: ModelSource | ModelDirectory,
  options: DistillOptions | DistillToFileOptions = {},
): Promise<Blob | null> {
  return called(distill, async () => {
    const distillation = await import('./distill/client.ts');
    return distillation.distill(browser, source, options);
  });
}

/**
 * A place that keeps a conversation while it comes, so that it goes on after a reload or a crash: `model.session({ journal })`
 * and `model.resumeSession(journal)`. In a page `name` is that of a journal in IndexedDB, which the pages of this origin share; in
 * Node it is the path of a file. Use it in one session at a time.
 *
 * The methods of the journal reject with `LimitExceeded` where there is no space, and with `Unsupported` where nothing can be kept, as in some private windows.
 *
 * @example
 * const model = await open('/models/chat.gguf', { kind: 'generator' });
 * const chat = await model.resumeSession(openJournal('tides'), { system: 'Be brief.' });
 * for await (const { text } of chat.resume() ?? []) write(text);
 */
export function openJournal(name: string): StoredJournal {
  return pageJournal(name);
}

/**
 * Trains a text classifier on examples: texts with their labels, from some tens to many thousands. It is logistic regression
 * over the vectors of an encoder, so it takes seconds and no GPU. The encoder must stay open while the classifier is used.
 *
 * There is no chance in it: equal examples in equal order give equal weights, where the encoder gives equal vectors. An
 * example that is given twice counts once. A text may have several labels; their scores then share its certainty. Every fifth
 * example of each label is held out first, and `training.heldOut` says how many of them were right; it is null if fewer than
 * two labels have 5 examples. The classifier that is returned was trained on all examples.
 *
 * Rejects with `BadValue` at a path like `examples[3].label` for what is no example and for fewer than two labels, with
 * `LimitExceeded` beyond 100,000 examples or for very many labels, with `Unsupported` for a model with late interaction, and
 * with an `AbortError`.
 *
 * @example
 * const topics = await createClassifier(encoder, [
 *   { text: 'My card was stolen.', label: 'card' },
 *   { text: 'The transfer has not arrived.', label: 'transfer' },
 * ]);
 * const [best] = await topics.classify('Somebody took my card!');
 * const file = await topics.save();
 */
export function createClassifier(
  encoder: Encoder,
  examples: readonly ClassifierExample[],
  options: ClassifierOptions = {},
): Promise<TrainedClassifier> {
  return called(createClassifier, async () => {
    const training = await import('./text-classifier/trained/create.ts');
    return training.createClassifier(encoder, examples, options);
  });
}

/**
 * Looks at what this machine, and `url` if given, have and lack: SIMD, workers, storage, the page's
 * policy; the address's answer, ranges, length and CORS. Each finding says what to do about it. Asks
 * the network for `url` alone.
 */
export function doctor(
  url?: string | URL,
  options: JobOptions & RuntimeOptions & Pick<FetchOptions, 'stallTimeout'> = {},
): Promise<DoctorCheck[]> {
  return called(doctor, async () => {
    const physician = await import('./doctor/doctor.ts');
    const { environment } = await import('./doctor/browser-environment.ts');
    return physician.doctor(browser, environment, url, options);
  });
}

/**
 * Turns the pixels of a decoded JPEG, PNG or WebP file as its EXIF orientation says. `classify` of an image classifier does so by itself with a file;
 * this is for pixels of a decoder that leaves them as they are stored.
 *
 * @example
 * const photo = new Uint8Array(await file.arrayBuffer());
 * const decoded = { width: 2, height: 1, data: new Uint8Array(8) }; // from a decoder
 * const { width, height } = await uprightPixels(decoded, photo);
 */
export function uprightPixels(pixels: Pixels, file: Uint8Array): Promise<Pixels> {
  return called(uprightPixels, async () => {
    const upright = await import('./image-classifier/upright.ts');
    return upright.uprightPixels(pixels, file);
  });
}

/**
 * What the option `cache` has kept in this browser for this page's origin.
 *
 * @example
 * for (const { url, bytes } of await cache.list()) console.log(url, bytes);
 * await cache.delete('https://example.org/minilm.weights');
 */
export const cache: CacheControl = /* @__PURE__ */ cacheControl(
  browser.locate,
  async () => (await import('./sources/cache/browser-control.ts')).stores,
);

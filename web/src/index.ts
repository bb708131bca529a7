// The package in a browser. Node takes node.ts, which has the same names.

import { AmbryError } from './errors.ts';
import type { Model, Tokenizer } from './model/model.ts';
import * as client from './model/open.ts';
import { browser } from './runtime/browser.ts';
import type { SearchIndex } from './search/search-index.ts';
import { cacheControl } from './sources/cache/control.ts';
import type {
  CacheControl,
  ConversionTargets,
  ConvertOptions,
  ConvertToFileOptions,
  Doc,
  DoctorCheck,
  FetchOptions,
  IndexedModel,
  IndexOptions,
  Inspection,
  JobOptions,
  ModelDirectory,
  ModelSource,
  OpenOptions,
  Quantized,
  QuantizeOptions,
  QuantizeToFileOptions,
  RuntimeOptions,
  ValidateOptions,
  ValidationReport,
  VectorCacheControl,
} from './types.ts';

export type * from './types.ts';
export type { Model, SearchIndex, Tokenizer };
export { AmbryError };

/**
 * Opens a model to run it, in a worker of its own. Bytes stream straight into the place where they
 * are used, so that the peak is the model and one chunk.
 *
 * Rejects with an {@link AmbryError}: `BadMagic`, `Truncated`, `BadValue`, … say at which byte and
 * which field the file is wrong; `Http` says what a server did. An abort rejects with an `AbortError`.
 *
 * @example
 * const model = await open('/models/minilm.weights', { onProgress: ({ loaded, total }) => … });
 * const vectors = await model.embed(['first text', 'second text']);
 * await model.dispose();
 *
 * @example
 * const model = await open('/vectors.fifu', { mode: 'range' });
 * const vector = await model.words?.vector('harbour');
 */
export function open(source: ModelSource, options: OpenOptions = {}): Promise<Model> {
  return client.open(browser, source, options);
}

/**
 * Opens only the tokenizer of a model file, a `tokenizer.json` or a `vocab.txt`; no weights are loaded.
 *
 * @example
 * const tokenizer = await openTokenizer('/models/vocab.txt');
 * const { ids, offsets } = await tokenizer.tokenize('Hello world');
 */
export function openTokenizer(
  source: ModelSource,
  options: JobOptions & RuntimeOptions & FetchOptions = {},
): Promise<Tokenizer> {
  return client.openTokenizer(browser, source, options);
}

/**
 * What a file says of itself: format, metadata, config, tokenizer, the table of tensors and the map of
 * the file (offsets and sizes in bytes), and the memory it takes to run. Reads headers only; over HTTP
 * with ranges it fetches no more than those.
 */
export function inspect(
  source: ModelSource,
  options: JobOptions & RuntimeOptions & FetchOptions = {},
): Promise<Inspection> {
  return client.inspect(browser, source, options);
}

/**
 * Checks a whole file and lists every problem with its byte and field. A bad file is a report with
 * `valid: false`; only a file that cannot be read rejects.
 *
 * @example
 * const report = await validate(file, { values: true });
 * if (!report.valid && report.rewritable) await convert(file, { to: report.format });
 */
export function validate(
  source: ModelSource,
  options: ValidateOptions = {},
): Promise<ValidationReport> {
  return client.validate(browser, source, options);
}

/**
 * Converts a model file, or the files of a Hugging Face directory, to another format or storage type.
 *
 * @example
 * const blob = await convert({ 'config.json': a, 'model.safetensors': b, 'vocab.txt': c });
 * const smaller = await convert(blob, { dtype: 'int8' });
 */
export function convert(
  source: ModelSource | ModelDirectory,
  options: ConvertToFileOptions,
): Promise<null>;
export function convert(
  source: ModelSource | ModelDirectory,
  options?: ConvertOptions,
): Promise<Blob>;
export async function convert(
  source: ModelSource | ModelDirectory,
  options: ConvertOptions | ConvertToFileOptions = {},
): Promise<Blob | null> {
  const conversion = await import('./files/convert.ts');
  return conversion.convert(browser, source, options);
}

/**
 * What a file, or the files of a Hugging Face directory, can be converted to. Reads headers only.
 *
 * @example
 * const { targets } = await conversionTargets(file);
 * const possible = targets.filter(({ problem }) => problem === null).map(({ to }) => to);
 */
export async function conversionTargets(
  source: ModelSource | ModelDirectory,
  options: Omit<ConvertOptions, 'to'> = {},
): Promise<ConversionTargets> {
  const conversion = await import('./files/convert.ts');
  return conversion.conversionTargets(browser, source, options);
}

/**
 * Stores the matrices of a model in fewer bits, and reports what that loses: sizes, errors of every tensor,
 * and for models that can be run how alike their outputs are.
 *
 * @example
 * const { blob, report } = await quantize(file, { type: 'int4_block', block: 32, keep: /lm_head/ });
 */
export async function quantize(
  source: ModelSource | ModelDirectory,
  options: QuantizeOptions | QuantizeToFileOptions,
): Promise<Quantized> {
  const quantization = await import('./files/quantize.ts');
  return quantization.quantize(browser, source, options);
}

/**
 * Embeds passages and makes them searchable by meaning. The index has a worker of its own; keep the
 * model open while you search, and dispose of both.
 *
 * @example
 * const index = await createIndex(model, [{ text: 'Cats purr.' }, { text: 'Dogs bark.' }]);
 * const [best] = await index.search('feline sounds', { k: 1 });
 * const file = await index.save();
 */
export function createIndex(
  model: Model,
  docs: readonly Doc[],
  options: IndexOptions = {},
): Promise<SearchIndex> {
  return client.createIndex(browser, model, docs, options);
}

/**
 * Reads an index file. `model` is the model that made it, or a function that opens it from what the
 * file says of it; any other model is refused with `Mismatch`.
 */
export async function loadIndex(
  model: Model | ((indexed: IndexedModel) => Promise<Model>),
  source: ModelSource,
  options: JobOptions & RuntimeOptions & FetchOptions = {},
): Promise<SearchIndex> {
  const loading = await import('./search/load-index.ts');
  return loading.loadIndex(browser, model, source, options);
}

/**
 * Looks at what this machine, and `url` if given, have and lack: SIMD, workers, storage, the page's
 * policy; the address's answer, ranges, length and CORS. Each finding says what to do about it. Asks
 * the network for `url` alone.
 */
export async function doctor(
  url?: string | URL,
  options: JobOptions & RuntimeOptions = {},
): Promise<DoctorCheck[]> {
  const physician = await import('./doctor/doctor.ts');
  return physician.doctor(browser, url, options);
}

/**
 * What the option `cache` has kept in this browser for this page's origin.
 *
 * @example
 * for (const { url, bytes } of await cache.list()) console.log(url, bytes);
 * await cache.delete('https://example.org/minilm.weights');
 */
export const cache: CacheControl = /* @__PURE__ */ cacheControl(
  browser,
  async () => (await import('./sources/cache/browser-control.ts')).stores,
);

/**
 * What the option `keep` of `createIndex` has kept in this browser for this page's origin.
 *
 * @example
 * for (const { name, bytes } of await vectorCaches.list()) console.log(name, bytes);
 * await vectorCaches.delete('notes');
 */
export const vectorCaches: VectorCacheControl = {
  list: async () => (await import('./search/kept-vectors/browser-control.ts')).control.list(),
  delete: async (name) =>
    (await import('./search/kept-vectors/browser-control.ts')).control.delete(name),
};

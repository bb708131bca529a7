// The package in Node: the names of index.ts, whose types and comments hold here too. Strings are
// paths unless they are URLs, `{path}` is a source, and `convert` and `quantize` can write to a file.
import { cacheControl } from './client/cache.ts';
import * as client from './client/client.ts';
import * as conversion from './client/convert.ts';
import * as physician from './client/doctor.ts';
import * as loading from './client/load-index.ts';
import { node } from './client/node-platform.ts';
import * as quantization from './client/quantize.ts';
import { vectorCacheControl } from './client/vector-caches.ts';
import type * as api from './index.ts';

export { AmbryError } from './errors.ts';
export type { Model, SearchIndex, Tokenizer } from './index.ts';
export type * from './types.ts';

export const open: typeof api.open = (source, options = {}) => client.open(node, source, options);

export const openTokenizer: typeof api.openTokenizer = (source, options = {}) =>
  client.openTokenizer(node, source, options);

export const inspect: typeof api.inspect = (source, options = {}) =>
  client.inspect(node, source, options);

export const validate: typeof api.validate = (source, options = {}) =>
  client.validate(node, source, options);

export const convert = ((source, options = {}) =>
  conversion.convert(node, source, options)) as typeof api.convert;

export const conversionTargets: typeof api.conversionTargets = (source, options = {}) =>
  conversion.conversionTargets(node, source, options);

export const quantize: typeof api.quantize = (source, options) =>
  quantization.quantize(node, source, options);

export const createIndex: typeof api.createIndex = (model, docs, options = {}) =>
  client.createIndex(node, model, docs, options);

export const loadIndex: typeof api.loadIndex = (model, source, options = {}) =>
  loading.loadIndex(node, model, source, options);

export const doctor: typeof api.doctor = (url, options = {}) =>
  physician.doctor(node, url, options);

export const cache: typeof api.cache = /* @__PURE__ */ cacheControl(
  node,
  async () => (await import('./source/node-cache.ts')).directoryStores,
);

export const vectorCaches: typeof api.vectorCaches = /* @__PURE__ */ vectorCacheControl(
  () => import('./source/node-vectors.ts'),
);

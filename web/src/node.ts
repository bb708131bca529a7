// The package in Node: the names of index.ts, whose types and comments hold here too. Strings are
// paths unless they are URLs, `{path}` is a source, and `convert` and `quantize` can write to a file.

import type * as api from './index.ts';
import * as client from './model/open.ts';
import { node } from './runtime/node-platform.ts';
import { cacheControl } from './sources/cache/control.ts';

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

export const convert = (async (source, options = {}) => {
  const conversion = await import('./files/convert.ts');
  return conversion.convert(node, source, options);
}) as typeof api.convert;

export const conversionTargets: typeof api.conversionTargets = async (source, options = {}) => {
  const conversion = await import('./files/convert.ts');
  return conversion.conversionTargets(node, source, options);
};

export const quantize: typeof api.quantize = async (source, options) => {
  const quantization = await import('./files/quantize.ts');
  return quantization.quantize(node, source, options);
};

export const createIndex: typeof api.createIndex = (model, docs, options = {}) =>
  client.createIndex(node, model, docs, options);

export const loadIndex: typeof api.loadIndex = async (model, source, options = {}) => {
  const loading = await import('./search/load-index.ts');
  return loading.loadIndex(node, model, source, options);
};

export const doctor: typeof api.doctor = async (url, options = {}) => {
  const physician = await import('./doctor/doctor.ts');
  return physician.doctor(node, url, options);
};

export const cache: typeof api.cache = /* @__PURE__ */ cacheControl(
  node,
  async () => (await import('./sources/cache/node-directory.ts')).directoryStores,
);

export const vectorCaches: typeof api.vectorCaches = {
  list: async () => (await import('./search/kept-vectors/node-control.ts')).control.list(),
  delete: async (name) =>
    (await import('./search/kept-vectors/node-control.ts')).control.delete(name),
};

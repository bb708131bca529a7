// The package in Node. It has the names of index.ts, whose types and comments hold here too. A string is a path unless it
// is a URL, `{path}` is a source, and `convert`, `quantize` and `distill` can write to a file.

import { called, checked, refuseWrong } from './base/call.ts';
import { text } from './base/kinds.ts';
import { openers } from './entries/built/kinds/node-openers.ts';
import { node } from './entries/node-platform.ts';
import { tokenizerEntry } from './entries/tokenizer-entry.ts';
import { validateAny } from './entries/validate-any.ts';
import { fileJournal } from './generator/journal/node-journal.ts';
import type * as api from './index.ts';
import * as files from './inspect/client.ts';
import { openModel } from './model/open.ts';
import type { OpenOptions } from './model/types.ts';
import * as indexes from './search/client.ts';
import type { ModelParts, ModelSource } from './sources/base/types.ts';
import { cacheControl } from './sources/cache/control.ts';

export { AmbryError } from './base/errors.ts';
export type * from './entries/types.ts';
export type * from './index.ts';
export { cosine, dot } from './model/cosine.ts';
export { sparseDot } from './sparse-encoder/dot.ts';

export const open = checked((source: ModelSource | ModelParts, options: OpenOptions = {}) =>
  openModel(openers, node, source, options),
) as typeof api.open;

export const openTokenizer: typeof api.openTokenizer = tokenizerEntry(node).openTokenizer;

export const inspect: typeof api.inspect = checked((source, options = {}) =>
  files.inspect(node, source, options),
);

export const runReport: typeof api.runReport = checked(async (source, options = {}) => {
  const report = await import('./convert/run-report.ts');
  return report.runReport(node, source, options);
});

export const validate: typeof api.validate = checked((source, options = {}) =>
  validateAny(node, source, options),
);

export const convert = checked(async (source, options = {}) => {
  const conversion = await import('./convert/convert.ts');
  return conversion.convert(node, source, options);
}) as typeof api.convert;

export const conversionTargets: typeof api.conversionTargets = checked(
  async (source, options = {}) => {
    const conversion = await import('./convert/convert.ts');
    return conversion.conversionTargets(node, source, options);
  },
);

export const quantize: typeof api.quantize = checked(async (source, options) => {
  const quantization = await import('./convert/quantize.ts');
  return quantization.quantize(node, open, source, options);
});

export const distill = checked(async (source, options = {}) => {
  const distillation = await import('./distill/client.ts');
  return distillation.distill(node, source, options);
}) as typeof api.distill;

export const createIndex: typeof api.createIndex = checked((model, docs, options = {}) =>
  indexes.createIndex(node, model, docs, options),
);

export const openIndex: typeof api.openIndex = checked(async (source, options) => {
  const opening = await import('./search/open-index.ts');
  return opening.openIndex(node, source, options);
});

export const openJournal: typeof api.openJournal = fileJournal;

export const createVectorIndex: typeof api.createVectorIndex = checked(
  async (collection, options = {}) => {
    const vectors = await import('./search/vectors/client.ts');
    return vectors.createVectorIndex(node, collection, options);
  },
);

export const openVectorIndex: typeof api.openVectorIndex = checked(async (source, options = {}) => {
  const vectors = await import('./search/vectors/client.ts');
  return vectors.openVectorIndex(node, source, options);
});

export const createClassifier: typeof api.createClassifier = checked(
  async (encoder, examples, options = {}) => {
    const training = await import('./text-classifier/trained/create.ts');
    return training.createClassifier(encoder, examples, options);
  },
);

export const doctor: typeof api.doctor = checked(async (url, options = {}) => {
  const physician = await import('./doctor/doctor.ts');
  const { environment } = await import('./doctor/node-environment.ts');
  return physician.doctor(node, environment, url, options);
});

export const uprightPixels: typeof api.uprightPixels = checked(async (pixels, file) => {
  const upright = await import('./image-classifier/upright.ts');
  return upright.uprightPixels(pixels, file);
});

export const cache: typeof api.cache = /* @__PURE__ */ cacheControl(
  node.locate,
  async () => (await import('./sources/cache/node-directory.ts')).directoryStores,
);

export const vectorCaches: typeof api.vectorCaches = {
  list: async () => (await import('./search/kept-vectors/node-control.ts')).control.list(),
  delete: (name) =>
    called(vectorCaches.delete, async () => {
      await refuseWrong([name], { name: text });
      return (await import('./search/kept-vectors/node-control.ts')).control.delete(name);
    }),
};

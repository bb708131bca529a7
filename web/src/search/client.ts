// Creates a search index, on the caller's side.

import { refuseWrong } from '../base/call.ts';
import { type Kind, list, oneOf, text, textOrTexts } from '../base/kinds.ts';
import { type OptionNames, refuseUnknown } from '../base/options.ts';
import { isEmbedder } from '../model/embedding.ts';
import type { Platform, WorkerName } from '../platform/platform.ts';
import { keepWorker } from '../runtime/connect.ts';
import { runtimeOptionNames } from '../runtime/option-names.ts';
import type { WireSource } from '../sources/base/wire.ts';
import { isSparse } from './base/probe.ts';
import type { IndexCalls } from './base/protocol.ts';
import { type Doc, type IndexModel, type IndexOptions, vectorStorages } from './base/types.ts';
import { newHeader } from './index-state.ts';
import { indexingOptionNames, SearchIndex } from './search-index.ts';

const sparseEncoder: Kind = { words: 'an opened sparse encoder', is: isSparse };

const indexOptionNames: OptionNames<IndexOptions> = {
  ...indexingOptionNames,
  ...runtimeOptionNames,
  prompt: text,
  vectors: oneOf(vectorStorages),
  sparse: sparseEncoder,
  language: { ...textOrTexts, each: text },
};

const embedder: Kind = {
  words: 'an opened encoder, sparse encoder or word vectors (createVectorIndex takes vectors)',
  is: (value) => isEmbedder(value) || isSparse(value),
};

export async function createIndex(
  platform: Platform,
  model: IndexModel,
  docs: readonly Doc[],
  options: IndexOptions,
): Promise<SearchIndex> {
  await refuseWrong([model, docs], { model: embedder, docs: list });
  await refuseUnknown(options, indexOptionNames);
  const { sparse } = options;
  const alone = isSparse(model);
  if (alone || sparse) {
    const { refuseForSparse } = await import('./base/sparse-vectors.ts');
    refuseForSparse(options, alone);
  }
  const header = await newHeader(model, options);
  const runtime = { ...model.connection.runtime, ...options };
  const worker = sparse || alone ? 'encoder' : (workerOf(model) ?? 'encoder-small');
  return keepWorker<IndexCalls, SearchIndex>(platform, runtime, worker, async ({ channel }) => {
    const { vectors = alone ? 'f32' : vectorStorages[0] } = options;
    await channel.call('createIndex', {
      dim: alone ? 0 : header.model.dim,
      int8: vectors !== 'f32',
      tokens: !alone && model.lateInteraction !== undefined,
      words: (alone ? header.model : header.sparse)?.dim,
    });
    const facts = { vectors, computesAlike: true, sparse };
    const index = new SearchIndex(channel, model, header, facts);
    await index.embedAndAdd(docs, options);
    return index;
  });
}

/** The smallest worker that can read an index from this source. Encoders and indexes run the same WebAssembly, so it is
 *  that of the model, where the model is open. */
export function indexWorkerFor({ cache, sha256, hub }: WireSource, model?: IndexModel): WorkerName {
  const own = model && workerOf(model);
  if (own) {
    return own;
  }
  return cache || sha256 || hub?.sha256 ? 'encoder-small-cached' : 'encoder-small';
}

const ownWorkers: readonly WorkerName[] = ['encoder', 'static-small', 'static'];

/** The worker of an encoder whose module is not the usual one, so that the page downloads no other. */
function workerOf({ connection: { worker } }: IndexModel): WorkerName | undefined {
  return ownWorkers.find((own) => own === worker);
}

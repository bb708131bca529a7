// What the arguments of `createIndex` and `loadIndex` ask for: passages with their model, or vectors of the caller. Code for
// the latter is fetched with the first such call.
import { refuseWrong } from '../base/call.ts';
import { isObject, type Kind } from '../base/kinds.ts';
import type { Embedder } from '../model/embedding.ts';
import type { Platform } from '../platform/platform.ts';
import type { RuntimeOptions } from '../platform/types.ts';
import type { JobOptions } from '../rpc/types.ts';
import type { FetchOptions, ModelSource } from '../sources/base/types.ts';
import type { Doc, IndexedModel, IndexOptions } from './base/types.ts';
import * as passages from './client.ts';
import type { SearchIndex } from './search-index.ts';
import type { OpenVectorsOptions, VectorCollection, VectorIndexOptions } from './vectors/types.ts';
import type { VectorIndex } from './vectors/vector-index.ts';

type LoadOptions = JobOptions & RuntimeOptions & FetchOptions;
type ModelOrOpener = Embedder | ((indexed: IndexedModel) => Promise<Embedder>);

/** What `loadIndex` takes first: a model with which a source follows, or a source. */
export type Loaded = ModelOrOpener | ModelSource;

const modelOrVectors: Kind = {
  words: 'an opened encoder or word vectors, or { vectors, ids }',
  is: isObject,
};

export async function createIndex(
  platform: Platform,
  first: Embedder | VectorCollection,
  second: readonly Doc[] | VectorIndexOptions | undefined,
  third: IndexOptions = {},
): Promise<SearchIndex | VectorIndex> {
  if (passages.isEmbedder(first)) {
    return passages.createIndex(platform, first, second as Doc[], third);
  }
  await refuseWrong([first], { model: modelOrVectors });
  return (await import('./vectors/client.ts')).createVectorIndex(
    platform,
    first as VectorCollection,
    second as object | undefined,
  );
}

export async function loadIndex(
  platform: Platform,
  first: Loaded,
  second: ModelSource | OpenVectorsOptions | undefined,
  third: LoadOptions = {},
): Promise<SearchIndex | VectorIndex> {
  if (typeof first === 'function' || passages.isEmbedder(first)) {
    const loading = await import('./load-index.ts');
    return loading.loadIndex(platform, first as ModelOrOpener, second as ModelSource, third);
  }
  const source = first as ModelSource;
  return (await import('./vectors/client.ts')).openVectorIndex(
    platform,
    source,
    second as object | undefined,
  );
}

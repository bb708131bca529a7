// What the arguments of `createIndex` and `loadIndex` ask for: passages with their model, or vectors of the caller. Code for
// the latter is fetched with the first such call.
import type { Embedder } from '../../model/embedding.ts';
import type { JobOptions } from '../../rpc/types.ts';
import type { Platform } from '../../runtime/platform.ts';
import type { RuntimeOptions } from '../../runtime/types.ts';
import type { FetchOptions, ModelSource } from '../../sources/types.ts';
import * as passages from '../client.ts';
import type { SearchIndex } from '../search-index.ts';
import type { Doc, IndexedModel, IndexOptions } from '../types.ts';
import type { OpenVectorsOptions, VectorCollection, VectorIndexOptions } from './types.ts';
import type { VectorIndex } from './vector-index.ts';

type LoadOptions = JobOptions & RuntimeOptions & FetchOptions;
type ModelOrOpener = Embedder | ((indexed: IndexedModel) => Promise<Embedder>);

export type CreateIndexArguments =
  | [model: Embedder, docs: readonly Doc[], options?: IndexOptions]
  | [collection: VectorCollection, options?: VectorIndexOptions];

export type LoadIndexArguments =
  | [model: ModelOrOpener, source: ModelSource, options?: LoadOptions]
  | [source: ModelSource, options?: OpenVectorsOptions];

export async function createIndex(
  platform: Platform,
  ...args: CreateIndexArguments
): Promise<SearchIndex | VectorIndex> {
  if (isOfPassages(args)) {
    const [model, docs, options = {}] = args;
    return passages.createIndex(platform, model, docs, options);
  }
  const [collection, options = {}] = args;
  const { createVectorIndex } = await import('./client.ts');
  return createVectorIndex(platform, collection, options);
}

export async function loadIndex(
  platform: Platform,
  ...args: LoadIndexArguments
): Promise<SearchIndex | VectorIndex> {
  if (isWithModel(args)) {
    const [model, source, options = {}] = args;
    const loading = await import('../load-index.ts');
    return loading.loadIndex(platform, model, source, options);
  }
  const [source, options = {}] = args;
  const { openVectorIndex } = await import('./client.ts');
  return openVectorIndex(platform, source, options);
}

const isModel = (given: unknown) => typeof given === 'object' && given !== null && 'embed' in given;

function isOfPassages(
  args: CreateIndexArguments,
): args is [model: Embedder, docs: readonly Doc[], options?: IndexOptions] {
  return isModel(args[0]);
}

function isWithModel(
  args: LoadIndexArguments,
): args is [model: ModelOrOpener, source: ModelSource, options?: LoadOptions] {
  return typeof args[0] === 'function' || isModel(args[0]);
}

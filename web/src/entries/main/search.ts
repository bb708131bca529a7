// The indexes of a browser. A part of index.ts.

import { called, refuseWrong } from '../../base/call.ts';
import { text } from '../../base/kinds.ts';
import type { Encoder } from '../../encoder/client.ts';
import type {
  Doc,
  IndexOptions,
  OpenIndexOptions,
  VectorCacheControl,
} from '../../search/base/types.ts';
import * as indexes from '../../search/client.ts';
import type { SearchIndex } from '../../search/search-index.ts';
import type {
  OpenVectorsOptions,
  VectorCollection,
  VectorIndexOptions,
} from '../../search/vectors/types.ts';
import type { VectorIndex } from '../../search/vectors/vector-index.ts';
import type { ModelSource } from '../../sources/base/types.ts';
import type { WordVectors } from '../../words/client.ts';
import { browser } from '../browser.ts';
import type { SparseEncoder } from '../built/kinds/models.ts';

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
  model: Encoder | SparseEncoder | WordVectors,
  docs: readonly Doc[],
  options: IndexOptions = {},
): Promise<SearchIndex> {
  return called(createIndex, () => indexes.createIndex(browser, model, docs, options));
}

/**
 * Opens an index file. `options.model` is the model that made the index, or a function that opens it from what the
 * file says of it; any other model is refused with `Mismatch`.
 *
 * @example
 * const model = await open('/models/english-192x1.weights', { kind: 'encoder' });
 * const index = await openIndex('/docs.ambryindex', { model });
 *
 * @example
 * const index = await openIndex('/docs.ambryindex', {
 *   model: ({ dim }) => open(`/models/english-${dim}x1.weights`, { kind: 'encoder' }),
 * });
 */
export function openIndex(
  source: ModelSource,
  options: OpenIndexOptions<Encoder | SparseEncoder | WordVectors>,
): Promise<SearchIndex> {
  return called(openIndex, async () => {
    const opening = await import('../../search/open-index.ts');
    return opening.openIndex(browser, source, options);
  });
}

/**
 * Makes vectors of the caller searchable, from a few to many millions. Large collections are sorted into lists of near
 * vectors, and a search reads a part of them; `index.measured` says how much that finds.
 *
 * Rejects with `BadValue` and a path like `vectors[7]` for a vector with a value that is not finite, for one of length 0,
 * and for one that is incomplete.
 *
 * @example
 * const vectors = new Float32Array([1, 0, 0, 1, 0.6, 0.8]);
 * const own = await createVectorIndex({ vectors, ids: ['east', 'north', 'between'] });
 * const [nearest] = await own.search(new Float32Array([0.5, 0.9]), { k: 1 });
 */
export function createVectorIndex(
  collection: VectorCollection,
  options: VectorIndexOptions = {},
): Promise<VectorIndex> {
  return called(createVectorIndex, async () => {
    const vectors = await import('../../search/vectors/client.ts');
    return vectors.createVectorIndex(browser, collection, options);
  });
}

/**
 * Opens an index file of the caller's own vectors. It reads the head and the centroids of the lists; a search reads the
 * lists that it wants, so the file may be larger than the memory. From a server it needs range requests.
 */
export function openVectorIndex(
  source: ModelSource,
  options: OpenVectorsOptions = {},
): Promise<VectorIndex> {
  return called(openVectorIndex, async () => {
    const vectors = await import('../../search/vectors/client.ts');
    return vectors.openVectorIndex(browser, source, options);
  });
}

/**
 * What the option `keep` of `createIndex` has kept in this browser for this page's origin.
 *
 * @example
 * for (const { name, bytes } of await vectorCaches.list()) console.log(name, bytes);
 * await vectorCaches.delete('notes');
 */
export const vectorCaches: VectorCacheControl = {
  list: async () => (await import('../../search/kept-vectors/browser-control.ts')).control.list(),
  delete: (name) =>
    called(vectorCaches.delete, async () => {
      await refuseWrong([name], { name: text });
      return (await import('../../search/kept-vectors/browser-control.ts')).control.delete(name);
    }),
};

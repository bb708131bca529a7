// The vectors of passages for an index, by several workers. Fetched with the first such indexing.
import type { Doc, IndexOptions } from '../types.ts';
import { embedParts } from './embed-pool.ts';
import type { Model } from './model.ts';

export async function embedDocs(
  model: Model,
  docs: readonly Doc[],
  { prompt, ...options }: IndexOptions,
): Promise<Float32Array<ArrayBuffer>[]> {
  const texts = docs.map((doc) => doc.text);
  const settings = { normalize: true, ...(prompt !== undefined && { prompt }) };
  const parts = await embedParts(model, { texts, settings }, options);
  return parts.map(({ vectors }) => vectors);
}

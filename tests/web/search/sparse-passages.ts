// Passages, a sparse and a dense encoder, for the tests of indexes with sparse vectors.
import { afterAll } from 'vitest';
import type { SearchHit } from '../../../web/src/entries/types.ts';
import type { Encoder, SearchIndex, SparseEncoder } from '../../../web/src/index.ts';
import { maskDirectory } from '../support/directories/token-head-directories.ts';
import { openEncoder } from '../support/open-kinds.ts';
import { ambry, smallModel } from '../support/package.ts';

const { open, sparseDot } = ambry;
export const passages = [
  { id: 'a', text: 'the cat sat on the mat.', page: 1 },
  { id: 'b', text: 'dog ran home!' },
  { text: 'the mat, the mat, the mat' },
  { id: 'd', text: 'a home' },
];
export const queries = ['the mat', 'dog ran home', 'water'];

export const model: SparseEncoder = await open(maskDirectory(), { kind: 'sparseEncoder' });
export const dense: Encoder = await openEncoder(await smallModel());
afterAll(async () => {
  await model.dispose();
  await dense.dispose();
});

/** The score of each passage, by its text. */
export async function dotsOf(query: string, by = model): Promise<Map<string, number>> {
  const asked = await by.embedSparse(query, { as: 'query' });
  const vectors = await by.embedSparse(passages.map(({ text }) => text));
  return new Map(vectors.map((vector, i) => [passages[i]?.text ?? '', sparseDot(vector, asked)]));
}

export const bytesOf = async (index: SearchIndex, places = {}) =>
  new Uint8Array(await (await index.save(places)).arrayBuffer());
export const textsOf = (hits: readonly SearchHit[]) => hits.map(({ text }) => text);
export const withoutText = (hits: readonly SearchHit[]) =>
  hits.map(({ id, score, cosine, sparse }) => ({ id, score, cosine, sparse }));

// The sparse vectors of texts, out of the rows of all of them.
import type { SparseRows } from './protocol.ts';
import type { SparseVector } from './types.ts';

/** The vector of each text, in buffers of their own. */
export function sparseVectorsOf({ counts, ids, weights, words }: SparseRows): SparseVector[] {
  let at = 0;
  return Array.from(counts, (length) => {
    const begin = at;
    at += length;
    const vector = { ids: ids.slice(begin, at), weights: weights.slice(begin, at) };
    return words ? { ...vector, words: words.slice(begin, at) } : vector;
  });
}

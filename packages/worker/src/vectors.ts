// Vectors as sinks write them: one of numbers, or the words of a sparse one.
import type { SparseVector } from 'ambry';

/** What a model makes of a text. */
export type Vector = Float32Array | SparseVector;

/** pgvector indexes sparse vectors of at most so many words. */
export const mostWords = 1000;

export const isSparse = (vector: Vector): vector is SparseVector => 'ids' in vector;

/** Whether the numbers say something. A text of unknown words only has none. */
export function hasValues(vector: Vector): boolean {
  const numbers = isSparse(vector) ? vector.weights : vector;
  return numbers.every(Number.isFinite) && numbers.some((value) => value !== 0);
}

/** The text of a `vector` or of a `sparsevec` of pgvector. Of the latter, places begin at 1 and are in order, and only the largest
 *  weights are kept, so that an index can hold it. */
export function vectorText(vector: Vector, dim: number): string {
  if (!isSparse(vector)) {
    return `[${vector.join(',')}]`;
  }
  const { ids, weights } = vector;
  const words = Array.from(ids, (id, i) => [id + 1, weights[i] as number] as const)
    .toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .slice(0, mostWords)
    .toSorted(([a], [b]) => a - b);
  return `{${words.map(([place, weight]) => `${place}:${weight}`).join(',')}}/${dim}`;
}

/** What the text of a `sparsevec` holds. */
export function sparseVectorIn(text: string): SparseVector {
  const words = [...text.matchAll(/(\d+):([^,}]+)/g)];
  return {
    ids: Uint32Array.from(words, ([, place]) => Number(place) - 1),
    weights: Float32Array.from(words, ([, , weight]) => Number(weight)),
  };
}

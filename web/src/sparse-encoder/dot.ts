// The product of two sparse vectors, in double precision.
import { AmbryError } from '../base/errors.ts';
import type { SparseVector } from './types.ts';

/**
 * The dot product of two sparse vectors: the sum of the products of the weights of the words that both have. It says how well
 * a document matches a query. The order of the words does not matter.
 *
 * Throws `BadValue` for anything that is not a sparse vector.
 *
 * @example
 * const [query] = await model.embedSparse(['how do cats sleep?'], { as: 'query' });
 * const [cats, rain] = await model.embedSparse(['Cats sleep in short naps.', 'It rains.']);
 * console.log(sparseDot(query, cats), sparseDot(query, rain));
 */
export function sparseDot(
  a: Pick<SparseVector, 'ids' | 'weights'>,
  b: Pick<SparseVector, 'ids' | 'weights'>,
): number {
  checkSparse(a, 'a');
  checkSparse(b, 'b');
  const weights = new Map(Array.from(a.ids, (id, i) => [id, a.weights[i] as number]));
  let sum = 0;
  for (const [i, id] of b.ids.entries()) {
    sum += (weights.get(id) ?? 0) * (b.weights[i] as number);
  }
  return sum;
}

function checkSparse(vector: unknown, path: string): void {
  const { ids, weights } = (vector ?? {}) as Partial<SparseVector>;
  const isSparse = ids instanceof Uint32Array && weights instanceof Float32Array;
  if (isSparse && ids.length === weights.length) {
    return;
  }
  const advice = vector instanceof Promise ? ' Await it first.' : '';
  const message = isSparse
    ? `Must have as many weights as ids, but has ${weights.length} and ${ids.length}.`
    : `Must be a sparse vector, with ids and weights, as embedSparse() gives it.${advice}`;
  throw new AmbryError('BadValue', message, { path });
}

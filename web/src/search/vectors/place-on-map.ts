// Places further vectors on a map, between the points of the nearest vectors.

interface MappedVectors {
  readonly vectors: Float32Array;
  readonly dim: number;
  readonly lengths: Float32Array;
  /** x and y of each. */
  readonly positions: Float32Array;
}

interface Near {
  readonly row: number;
  readonly cosine: number;
}

const mostNear = 5;
/** A vector whose cosine is lower by so much counts a third. So those that are hardly near count little, and a point
 *  does not lie between two far groups. */
const range = 0.03;

function lengthOf(vectors: Float32Array, at: number, dim: number): number {
  let squares = 0;
  for (let i = at; i < at + dim; i += 1) {
    squares += (vectors[i] as number) ** 2;
  }
  return Math.sqrt(squares) || 1;
}

/** The best first. */
function nearest({ vectors, dim, lengths }: MappedVectors, query: Float32Array): Near[] {
  const own = lengthOf(query, 0, dim);
  const best: Near[] = [];
  for (let row = 0; row < lengths.length; row += 1) {
    let dot = 0;
    for (let i = 0; i < dim; i += 1) {
      dot += (query[i] as number) * (vectors[row * dim + i] as number);
    }
    const cosine = dot / own / (lengths[row] as number);
    if (best.length < mostNear || cosine > (best.at(-1) as Near).cosine) {
      best.push({ row, cosine });
      best.sort((a, b) => b.cosine - a.cosine);
      best.length = Math.min(best.length, mostNear);
    }
  }
  return best;
}

/** The length of each vector. */
export function lengthsOf(vectors: Float32Array, dim: number): Float32Array {
  return Float32Array.from({ length: vectors.length / dim }, (_, row) =>
    lengthOf(vectors, row * dim, dim),
  );
}

/** x and y of each query. */
export function placeOnMap(map: MappedVectors, queries: Float32Array): Float32Array<ArrayBuffer> {
  const { dim, positions } = map;
  const placed = new Float32Array((2 * queries.length) / dim);
  for (let at = 0; at < placed.length; at += 2) {
    const first = (at / 2) * dim;
    const near = nearest(map, queries.subarray(first, first + dim));
    const top = near[0]?.cosine ?? 0;
    const weights = near.map(({ cosine }) => Math.exp((cosine - top) / range));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    near.forEach(({ row }, i) => {
      const share = (weights[i] as number) / sum;
      placed[at] = (placed[at] as number) + share * (positions[2 * row] as number);
      placed[at + 1] = (placed[at + 1] as number) + share * (positions[2 * row + 1] as number);
    });
  }
  return placed;
}

// Vectors that lie in groups, as those of texts do, the same in every run.

/** Uniform from -1 to 1. */
export function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** Vector i is in group i % groups. */
export function groupedVectors(
  count: number,
  { dim, groups, spread = 0.5 }: { dim: number; groups: number; spread?: number },
): Float32Array<ArrayBuffer> {
  const random = numbersOf(count);
  const centers = Array.from({ length: groups * dim }, random);
  const centerOf = (i: number) => centers[(Math.floor(i / dim) % groups) * dim + (i % dim)] ?? 0;
  return Float32Array.from({ length: count * dim }, (_, i) => centerOf(i) + spread * random());
}

export function cosineOf(a: Float32Array, b: Float32Array): number {
  let product = 0;
  for (const [i, x] of a.entries()) {
    product += x * (b[i] as number);
  }
  return product / Math.hypot(...a) / Math.hypot(...b);
}

/** The positions of the `k` vectors with the highest cosine. */
export function nearestOf(
  vectors: Float32Array,
  query: Float32Array,
  k: number,
  isWanted: (position: number) => boolean = () => true,
): number[] {
  const dim = query.length;
  return Array.from({ length: vectors.length / dim }, (_, i) => i)
    .filter(isWanted)
    .map((i) => ({ i, cosine: cosineOf(vectors.subarray(i * dim, (i + 1) * dim), query) }))
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, k)
    .map(({ i }) => i);
}

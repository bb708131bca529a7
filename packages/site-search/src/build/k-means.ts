// Groups vectors of length 1 by k-means: each belongs to the centroid with the highest cosine. No chance is involved, so
// equal vectors give equal groups.

import { dot } from '../shared/dot.ts';

const iterations = 6;
/** So many rows for each centroid are enough to learn from. */
const rowsPerCentroid = 48;

export interface Clusters {
  /** `count` rows of `dim` values. */
  readonly centroids: Float32Array;
  readonly count: number;
  /** The centroid of each row. */
  readonly members: Uint32Array;
}

export interface KMeansOptions {
  readonly dim: number;
  readonly count: number;
  /** Called before each round with the share that is done; it may wait, and throw. */
  readonly pause: (share: number) => Promise<void>;
}

export async function kMeans(rows: Float32Array, options: KMeansOptions): Promise<Clusters> {
  const { dim, pause } = options;
  const size = rows.length / dim;
  const count = Math.min(options.count, size);
  const sample = spread(rows, dim, Math.min(size, count * rowsPerCentroid));
  let centroids = spread(sample, dim, count);
  for (let round = 0; round < iterations; round++) {
    await pause(round / (iterations + 1));
    centroids = means(sample, await nearest(sample, centroids, dim, pause), centroids, dim);
  }
  const members = await nearest(rows, centroids, dim, pause);
  return { centroids, count, members };
}

/** Rows in even distances. */
function spread(rows: Float32Array, dim: number, count: number): Float32Array {
  const size = rows.length / dim;
  const chosen = new Float32Array(count * dim);
  for (let i = 0; i < count; i++) {
    const row = Math.floor((i * size) / count);
    chosen.set(rows.subarray(row * dim, (row + 1) * dim), i * dim);
  }
  return chosen;
}

/** Rows that are compared with a centroid at a time: each of its values is then read once for all of them. */
const blockRows = 4;

async function nearest(
  rows: Float32Array,
  centroids: Float32Array,
  dim: number,
  pause: KMeansOptions['pause'],
): Promise<Uint32Array> {
  const count = rows.length / dim;
  const members = new Uint32Array(count);
  const whole = count - (count % blockRows);
  for (let i = 0; i < whole; i += blockRows) {
    if (i % 4096 === 0) await pause(-1);
    nearestOfBlock(rows, i, centroids, dim, members);
  }
  for (let i = whole; i < count; i++) members[i] = nearestTo(rows, i * dim, centroids, dim);
  return members;
}

/** Four rows, written out: a loop over them would take three times as long. */
function nearestOfBlock(
  rows: Float32Array,
  first: number,
  centroids: Float32Array,
  dim: number,
  members: Uint32Array,
): void {
  const at0 = first * dim;
  const [at1, at2, at3] = [at0 + dim, at0 + 2 * dim, at0 + 3 * dim];
  const best = new Float64Array(blockRows).fill(Number.NEGATIVE_INFINITY);
  const raise = (row: number, product: number, k: number) => {
    if (product <= (best[row] as number)) return;
    best[row] = product;
    members[first + row] = k;
  };
  for (let k = 0, from = 0; from < centroids.length; k++, from += dim) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let j = 0; j < dim; j++) {
      const value = centroids[from + j] as number;
      s0 += value * (rows[at0 + j] as number);
      s1 += value * (rows[at1 + j] as number);
      s2 += value * (rows[at2 + j] as number);
      s3 += value * (rows[at3 + j] as number);
    }
    raise(0, s0, k);
    raise(1, s1, k);
    raise(2, s2, k);
    raise(3, s3, k);
  }
}

function nearestTo(rows: Float32Array, at: number, centroids: Float32Array, dim: number): number {
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let k = 0, from = 0; from < centroids.length; k++, from += dim) {
    const product = dot(rows, at, centroids, from, dim);
    if (product <= highest) continue;
    highest = product;
    best = k;
  }
  return best;
}

/** The means, scaled to length 1. A centroid without rows stays where it was. */
function means(
  rows: Float32Array,
  members: Uint32Array,
  before: Float32Array,
  dim: number,
): Float32Array {
  const sums = new Float64Array(before.length);
  members.forEach((k, i) => {
    for (let j = 0; j < dim; j++) {
      sums[k * dim + j] = (sums[k * dim + j] as number) + (rows[i * dim + j] as number);
    }
  });
  const result = before.slice();
  for (let from = 0; from < before.length; from += dim) {
    const length = Math.hypot(...sums.subarray(from, from + dim));
    if (length === 0) continue;
    for (let j = from; j < from + dim; j++) result[j] = (sums[j] as number) / length;
  }
  return result;
}

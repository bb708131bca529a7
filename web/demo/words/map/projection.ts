// Projects vectors to two dimensions: their first two principal components.

import type { Point } from '../../shared/point-map/camera.ts';

interface Projection {
  /** One point per vector, at the scale of the vectors. The mean of the fitted vectors is at 0, 0. */
  readonly points: readonly Point[];
  /** The share of the variance that the points keep, from 0 to 1. */
  readonly explainedVariance: number;
}

const maxSweeps = 30;
/** A dot product below this share of the variance counts as zero. */
const tolerance = 1e-12;

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function meanOf(vectors: readonly Float32Array[]): Float64Array {
  const mean = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    vector.forEach((value, i) => {
      mean[i] = (mean[i] ?? 0) + value / vectors.length;
    });
  }
  return mean;
}

/** Rotates two rows so that their dot product is zero. Returns false if it is zero already. */
function rotatePair(a: Float64Array, b: Float64Array, maxProduct: number): boolean {
  const [aa, bb, ab] = [dot(a, a), dot(b, b), dot(a, b)];
  if (Math.abs(ab) <= maxProduct) {
    return false;
  }
  const ratio = (bb - aa) / (2 * ab);
  const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.hypot(1, ratio));
  const cosine = 1 / Math.hypot(1, tangent);
  const sine = cosine * tangent;
  a.forEach((x, i) => {
    const y = b[i] ?? 0;
    a[i] = cosine * x - sine * y;
    b[i] = sine * x + cosine * y;
  });
  return true;
}

/** One-sided Jacobi rotations (Hestenes 1958). The rows become the principal axes, and their lengths are the singular
 *  values. */
function orthogonalize(rows: readonly Float64Array[]): void {
  const maxProduct = tolerance * rows.reduce((sum, row) => sum + dot(row, row), 0);
  for (let sweep = 0, rotated = true; rotated && sweep < maxSweeps; sweep += 1) {
    rotated = false;
    rows.forEach((a, p) => {
      for (const b of rows.slice(p + 1)) {
        rotated = rotatePair(a, b, maxProduct) || rotated;
      }
    });
  }
}

/** The unit vector of an axis; zeros if the axis is only a rounding error. */
function directionOf(axis: Float64Array, variance: number): Float64Array {
  const square = dot(axis, axis);
  return square <= tolerance * variance
    ? axis.map(() => 0)
    : axis.map((x) => x / Math.sqrt(square));
}

/** The coordinates of the rows along an axis. The sign of an axis is arbitrary, so the farthest row gets a positive one. */
function coordinatesAlong(axis: Float64Array, rows: readonly Float64Array[]): number[] {
  const coordinates = rows.map((row) => dot(row, axis));
  const farthest = coordinates.reduce(
    (max, x) => (Math.abs(x) > Math.abs(max) * (1 + 1e-9) ? x : max),
    0,
  );
  return farthest < 0 ? coordinates.map((x) => -x) : coordinates;
}

/** Projects vectors of the same length. The axes are fitted to the first `fitted` vectors. The projection is linear, so
 *  sums and differences of vectors stay such. */
export function projectionOf(
  vectors: readonly Float32Array[],
  fitted = vectors.length,
): Projection {
  const mean = meanOf(vectors.slice(0, fitted));
  const rows = vectors.map((v) => Float64Array.from(v, (value, i) => value - (mean[i] ?? 0)));
  const axes = rows.slice(0, fitted).map((row) => row.slice());
  orthogonalize(axes);
  axes.sort((a, b) => dot(b, b) - dot(a, a));
  const variance = axes.reduce((sum, axis) => sum + dot(axis, axis), 0);
  const [xs = [], ys = []] = axes
    .slice(0, 2)
    .map((axis) => coordinatesAlong(directionOf(axis, variance), rows));
  const points = xs.map((x, i) => ({ x, y: ys[i] ?? 0 }));
  const all = rows.reduce((sum, row) => sum + dot(row, row), 0);
  const kept = points.reduce((sum, { x, y }) => sum + x * x + y * y, 0);
  return { points, explainedVariance: all === 0 ? 1 : kept / all };
}

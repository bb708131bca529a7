// The plane in which a few vectors lie apart the most: their first two principal components.

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Plane {
  /** One for each vector, in the vectors' own units; the mean of those that were fitted is at 0, 0. */
  readonly points: readonly Point[];
  /** The part of all squared distances from there that the plane shows, 0 to 1. */
  readonly shown: number;
}

const kMostSweeps = 30;
/** Products of two rows up to this part of all variance count as zero. */
const kSlack = 1e-12;

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

/** Turns two rows into each other until their product is zero; false when it is already. */
function turnPair(a: Float64Array, b: Float64Array, slack: number): boolean {
  const [aa, bb, ab] = [dot(a, a), dot(b, b), dot(a, b)];
  if (Math.abs(ab) <= slack) {
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

/** Jacobi's rotations, one-sided (Hestenes 1958): what the rows become are their principal axes, each as
 *  long as its singular value. */
function orthogonalise(rows: readonly Float64Array[]): void {
  const slack = kSlack * rows.reduce((sum, row) => sum + dot(row, row), 0);
  for (let sweep = 0, turned = true; turned && sweep < kMostSweeps; sweep += 1) {
    turned = false;
    rows.forEach((a, p) => {
      for (const b of rows.slice(p + 1)) {
        turned = turnPair(a, b, slack) || turned;
      }
    });
  }
}

/** The direction of an axis; zeros for one that only rounding made. */
function directionOf(axis: Float64Array, variance: number): Float64Array {
  const square = dot(axis, axis);
  return square <= kSlack * variance ? axis.map(() => 0) : axis.map((x) => x / Math.sqrt(square));
}

/** A direction may point either way: the farthest of its places is a positive one. */
function placesAlong(axis: Float64Array, rows: readonly Float64Array[]): number[] {
  const places = rows.map((row) => dot(row, axis));
  const farthest = places.reduce(
    (most, x) => (Math.abs(x) > Math.abs(most) * (1 + 1e-9) ? x : most),
    0,
  );
  return farthest < 0 ? places.map((x) => -x) : places;
}

/** Vectors of one length. The plane is fitted to the first `fitted` of them. Sums and differences of vectors
 *  are the same sums and differences of points. */
export function planeOf(vectors: readonly Float32Array[], fitted = vectors.length): Plane {
  const mean = meanOf(vectors.slice(0, fitted));
  const rows = vectors.map((v) => Float64Array.from(v, (value, i) => value - (mean[i] ?? 0)));
  const axes = rows.slice(0, fitted).map((row) => row.slice());
  orthogonalise(axes);
  axes.sort((a, b) => dot(b, b) - dot(a, a));
  const variance = axes.reduce((sum, axis) => sum + dot(axis, axis), 0);
  const [xs = [], ys = []] = axes
    .slice(0, 2)
    .map((axis) => placesAlong(directionOf(axis, variance), rows));
  const points = xs.map((x, i) => ({ x, y: ys[i] ?? 0 }));
  const all = rows.reduce((sum, row) => sum + dot(row, row), 0);
  const seen = points.reduce((sum, { x, y }) => sum + x * x + y * y, 0);
  return { points, shown: all === 0 ? 1 : seen / all };
}

// Turns a new map so that it looks like the one before it: a map may be turned and mirrored without a change of distances.

/** A pair of points: one of the new map, and the same one of the old map. */
export type PointPair = readonly [now: number, before: number];

interface Turn {
  readonly cosine: number;
  readonly sine: number;
  /** The sum of the products of turned and old positions: larger is better. */
  readonly fit: number;
}

/** The turn that brings points with these sums of products closest together. */
function turnOf(along: number, across: number): Turn {
  const fit = Math.hypot(along, across);
  return fit === 0 ? { cosine: 1, sine: 0, fit } : { cosine: along / fit, sine: across / fit, fit };
}

/** Turns the positions in their place, and mirrors them if that fits better. Positions have their mean at 0, 0. */
export function alignTo(
  positions: Float32Array,
  before: Float32Array,
  pairs: readonly PointPair[],
): void {
  let [xx, xy, yx, yy] = [0, 0, 0, 0];
  for (const [now, old] of pairs) {
    const [x, y] = [positions[2 * now] ?? 0, positions[2 * now + 1] ?? 0];
    const [u, v] = [before[2 * old] ?? 0, before[2 * old + 1] ?? 0];
    xx += x * u;
    xy += x * v;
    yx += y * u;
    yy += y * v;
  }
  const straight = turnOf(xx + yy, xy - yx);
  const mirrored = turnOf(xx - yy, xy + yx);
  const flip = mirrored.fit > straight.fit ? -1 : 1;
  const { cosine, sine } = flip < 0 ? mirrored : straight;
  for (let i = 0; i < positions.length; i += 2) {
    const [x, y] = [positions[i] ?? 0, flip * (positions[i + 1] ?? 0)];
    positions[i] = cosine * x - sine * y;
    positions[i + 1] = sine * x + cosine * y;
  }
}

/** The positions in which the points of a new map begin to move: where they were, or where they will be if they are new. */
export function startOf(
  positions: Float32Array,
  before: Float32Array,
  pairs: readonly PointPair[],
): Float32Array {
  const start = positions.slice();
  for (const [now, old] of pairs) {
    start[2 * now] = before[2 * old] ?? 0;
    start[2 * now + 1] = before[2 * old + 1] ?? 0;
  }
  return start;
}

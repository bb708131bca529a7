// The content of a map of many points, and questions about where they are.

import type { Camera, Point, Size } from './camera.ts';

interface PointGroup {
  /** The most telling words of the group. */
  readonly name: string;
  readonly count: number;
  /** Where its points are, their mean. */
  readonly middle: Point;
}

export interface PointMapData {
  /** x and y of each point. The y axis points upwards. */
  readonly positions: Float32Array;
  /** The group of each point. */
  readonly members: Uint32Array;
  readonly groups: readonly PointGroup[];
  /** What the map says about a point. */
  readonly describe: (point: number) => PointText;
  /** Short names of points, which are shown where there is space. The most important points come first. */
  readonly labels?: readonly string[];
}

export interface PointText {
  /** Where it comes from; empty for nothing. */
  readonly source: string;
  readonly text: string;
}

/** What of a map is shown, and what stands out. */
export interface MapView {
  readonly camera: Camera;
  /** The camera that shows all points. */
  readonly fit: Camera;
  readonly size: Size;
  /** The points that stand out, the best first. */
  readonly hits: readonly number[];
  /** Where the question is. */
  readonly query: Point | null;
  /** The point that is looked at. */
  readonly current: number | null;
}

export const countOf = ({ positions }: PointMapData): number => positions.length / 2;

export function positionOf({ positions }: PointMapData, point: number): Point {
  return { x: positions[2 * point] ?? 0, y: positions[2 * point + 1] ?? 0 };
}

/** The groups of points with these names. Groups without points are left out by the caller. */
export function groupsOf(
  positions: Float32Array,
  members: Uint32Array,
  names: readonly string[],
): PointGroup[] {
  const sums = names.map(() => ({ x: 0, y: 0, count: 0 }));
  members.forEach((group, point) => {
    const sum = sums[group];
    if (sum !== undefined) {
      sum.x += positions[2 * point] ?? 0;
      sum.y += positions[2 * point + 1] ?? 0;
      sum.count += 1;
    }
  });
  return sums.map(({ x, y, count }, i) => ({
    name: names[i] ?? '',
    count,
    middle: { x: x / Math.max(1, count), y: y / Math.max(1, count) },
  }));
}

/** The point that is nearest to a pixel, and not farther than `reach` pixels. */
export function pointAt(
  { positions }: PointMapData,
  { scale, x, y }: Camera,
  pixel: Point,
  reach: number,
): number | null {
  // The pixel in the map's units, so that the loop has few operations.
  const [atX, atY] = [(pixel.x - x) / scale, (y - pixel.y) / scale];
  let [best, least] = [-1, (reach / scale) ** 2];
  for (let i = 0; i < positions.length; i += 2) {
    const distance = ((positions[i] ?? 0) - atX) ** 2 + ((positions[i + 1] ?? 0) - atY) ** 2;
    if (distance <= least) {
      [best, least] = [i / 2, distance];
    }
  }
  return best < 0 ? null : best;
}

/** The next point in a direction: near, and rather straight ahead than aside. `towards` has y downwards. */
export function pointTowards(data: PointMapData, from: number, towards: Point): number | null {
  const start = positionOf(data, from);
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (let i = 0; i < data.positions.length; i += 2) {
    const x = (data.positions[i] ?? 0) - start.x;
    const y = start.y - (data.positions[i + 1] ?? 0);
    const ahead = x * towards.x + y * towards.y;
    const aside = Math.abs(x * towards.y - y * towards.x);
    const cost = ahead + 2 * aside;
    if (ahead > 0 && ahead >= aside && cost < least) {
      [best, least] = [i / 2, cost];
    }
  }
  return best < 0 ? null : best;
}

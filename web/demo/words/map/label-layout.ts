// Labels beside the points of a map so that none covers another label, a point or a line.

import type { Size } from './camera.ts';
import type { Point } from './projection.ts';

export interface LabelledPoint extends Point {
  /** Pixels that its label takes. */
  readonly label: Size;
}

/** From one point to another. */
export type Line = readonly [Point, Point];

interface Box extends Point, Size {}

/** From the point to the nearest edge of its label. */
const kGap = 7;
/** Half of the square that a point itself takes. */
const kPoint = 5;
/** Half of the room that a line takes. */
const kLine = 4;

/** Right first, as text is read; then left, above, below and the corners. */
function* boxesAround({ x, y, label: { width, height } }: LabelledPoint): Generator<Box> {
  const [left, middle, right] = [x - kGap - width, x - width / 2, x + kGap];
  const [above, level, below] = [y - kGap - height, y - height / 2, y + kGap];
  const places: readonly (readonly [number, number])[] = [
    [right, level],
    [left, level],
    [middle, above],
    [middle, below],
    [right, above],
    [right, below],
    [left, above],
    [left, below],
  ];
  for (const [at, top] of places) {
    yield { x: at, y: top, width, height };
  }
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const inside = (box: Box, { width, height }: Size): boolean =>
  box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;

const boxOf = ({ x, y }: Point, half: number): Box => ({
  x: x - half,
  y: y - half,
  width: 2 * half,
  height: 2 * half,
});

/** A line as the small boxes that it runs through. */
function boxesAlong([from, to]: Line): Box[] {
  const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / (2 * kLine));
  return Array.from({ length: steps }, (_, i) => {
    const part = i / steps;
    return boxOf({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }, kLine);
  });
}

/** The upper left corner of each label, or null where there is no room for it. Earlier points choose first. */
export function placeLabels(
  points: readonly LabelledPoint[],
  frame: Size,
  lines: readonly Line[] = [],
): (Point | null)[] {
  const dots = points.map((point) => boxOf(point, kPoint));
  const taken = lines.flatMap(boxesAlong);
  return points.map((point, i) => {
    const dot = dots[i];
    if (dot === undefined || !inside(dot, frame)) {
      return null;
    }
    for (const box of boxesAround(point)) {
      const free =
        inside(box, frame) &&
        !taken.some((other) => overlap(box, other)) &&
        !dots.some((other, j) => j !== i && overlap(box, other));
      if (free) {
        taken.push(box);
        return { x: box.x, y: box.y };
      }
    }
    return null;
  });
}

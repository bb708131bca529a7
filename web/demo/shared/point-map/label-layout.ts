// Places the labels of a map so that none covers another label, a point or a line.

import type { Point, Size } from './camera.ts';

export interface LabelledPoint extends Point {
  /** The size of its label in pixels. */
  readonly label: Size;
}

export type Line = readonly [Point, Point];

interface Box extends Point, Size {}

/** The distance from a point to its label, in pixels. */
const gap = 7;
/** Half the size of the square around a point. */
const pointHalf = 5;
/** Half the width of a line. */
const lineHalf = 4;

/** Possible boxes for a label: right of the point, then left, above, below, and the corners. */
function* boxesAround({ x, y, label: { width, height } }: LabelledPoint): Generator<Box> {
  const [left, middle, right] = [x - gap - width, x - width / 2, x + gap];
  const [above, level, below] = [y - gap - height, y - height / 2, y + gap];
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

/** The small boxes that cover a line. */
function boxesAlong([from, to]: Line): Box[] {
  const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / (2 * lineHalf));
  return Array.from({ length: steps }, (_, i) => {
    const part = i / steps;
    return boxOf(
      { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part },
      lineHalf,
    );
  });
}

/** The upper left corner of each label. Null if there is no space. Earlier points take their space first. */
export function placeLabels(
  points: readonly LabelledPoint[],
  frame: Size,
  lines: readonly Line[] = [],
): (Point | null)[] {
  const dots = points.map((point) => boxOf(point, pointHalf));
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

// What a map of words shows: the words with their places, arrows between some, and the same in words.

import { formatCount } from '../../shared/format.ts';
import { type Point, planeOf } from './projection.ts';

export type Role = 'asked' | 'found' | 'sum';

export interface Mark extends Point {
  readonly text: string;
  readonly role: Role;
}

export interface Arrow {
  /** Indices of marks. */
  readonly from: number;
  readonly to: number;
}

export interface Picture {
  /** Those whose labels matter most come first. */
  readonly marks: readonly Mark[];
  readonly arrows: readonly Arrow[];
  /** The part of what tells these words apart that a plane can show, 0 to 1. */
  readonly shown: number;
}

/** What goes into a map: a word, or the end of a sum, with its vector. */
export interface Placed {
  readonly text: string;
  readonly role: Role;
  readonly vector: Float32Array;
}

/** The plane is fitted to the first `fitted` of what is placed. */
export function pictureOf(
  placed: readonly Placed[],
  arrows: readonly Arrow[] = [],
  fitted = placed.length,
): Picture {
  const vectors = placed.map(({ vector }) => vector);
  const { points, shown } = planeOf(vectors, fitted);
  const marks = placed.map(({ text, role }, i) => ({
    text,
    role,
    ...(points[i] ?? { x: 0, y: 0 }),
  }));
  return { marks, arrows, shown };
}

/** b − a + c: the first three of `placed`, then the words that were found near the sum. With the sum the three
 *  are the corners of a parallelogram, which is drawn as it is; the other words are seen from above it. */
export function sumPicture(placed: readonly Placed[]): Picture | null {
  const [a, b, c, ...found] = placed;
  if (a === undefined || b === undefined || c === undefined) {
    return null;
  }
  const vector = b.vector.map((value, i) => value - (a.vector[i] ?? 0) + (c.vector[i] ?? 0));
  const sum: Placed = { text: `${b.text} − ${a.text} + ${c.text}`, role: 'sum', vector };
  const arrows = [
    { from: 0, to: 1 },
    { from: 2, to: 3 },
  ];
  return pictureOf([a, b, c, sum, ...found], arrows, 4);
}

const names = (marks: readonly Mark[]): string => marks.map(({ text }) => text).join(', ');

/** The map for those who do not see it: the order of its words along both axes. */
export function wordsOf({ marks, shown }: Picture): readonly (readonly [string, string])[] {
  const across = [...marks].sort((a, b) => a.x - b.x);
  const up = [...marks].sort((a, b) => b.y - a.y);
  return [
    ['Left to right', names(across)],
    ['Top to bottom', names(up)],
    ['Shown', `${formatCount(Math.round(100 * shown))} % of what tells these words apart`],
  ];
}

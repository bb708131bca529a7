// The content of a word map: words with their positions, arrows, and a description in text.

import { formatCount } from '../../shared/base/format.ts';
import type { Point } from '../../shared/point-map/camera.ts';
import { projectionOf } from './projection.ts';

type Role = 'asked' | 'found' | 'sum';

export interface MapWord extends Point {
  readonly text: string;
  readonly role: Role;
}

export interface Arrow {
  /** Indices of words. */
  readonly from: number;
  readonly to: number;
}

export interface MapData {
  /** The words with the most important labels come first. */
  readonly words: readonly MapWord[];
  readonly arrows: readonly Arrow[];
  /** The share of the variance that the map shows, from 0 to 1. */
  readonly explainedVariance: number;
}

/** A word, or a sum of words, with its vector. */
export interface MapEntry {
  readonly text: string;
  readonly role: Role;
  readonly vector: Float32Array;
}

/** The projection is fitted to the first `fitted` entries. */
export function mapOf(
  entries: readonly MapEntry[],
  arrows: readonly Arrow[] = [],
  fitted = entries.length,
): MapData {
  const vectors = entries.map(({ vector }) => vector);
  const { points, explainedVariance } = projectionOf(vectors, fitted);
  const words = entries.map(({ text, role }, i) => ({
    text,
    role,
    ...(points[i] ?? { x: 0, y: 0 }),
  }));
  return { words, arrows, explainedVariance };
}

/** The map of b − a + c. The entries are a, b, c and the words found near the sum. The projection is fitted to the
 *  parallelogram of a, b, c and the sum, so these four have no distortion. */
export function analogyMap(entries: readonly MapEntry[]): MapData | null {
  const [a, b, c, ...found] = entries;
  if (a === undefined || b === undefined || c === undefined) {
    return null;
  }
  const vector = b.vector.map((value, i) => value - (a.vector[i] ?? 0) + (c.vector[i] ?? 0));
  const sum: MapEntry = { text: `${b.text} − ${a.text} + ${c.text}`, role: 'sum', vector };
  const arrows = [
    { from: 0, to: 1 },
    { from: 2, to: 3 },
  ];
  return mapOf([a, b, c, sum, ...found], arrows, 4);
}

const names = (words: readonly MapWord[]): string => words.map(({ text }) => text).join(', ');

/** Describes the map for people who do not see it: the order of its words along both axes. */
export function descriptionOf({
  words,
  explainedVariance,
}: MapData): readonly (readonly [string, string])[] {
  const across = [...words].sort((a, b) => a.x - b.x);
  const up = [...words].sort((a, b) => b.y - a.y);
  return [
    ['Left to right', names(across)],
    ['Top to bottom', names(up)],
    ['Variance shown', `${formatCount(Math.round(100 * explainedVariance))} %`],
  ];
}

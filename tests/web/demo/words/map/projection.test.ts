import { describe, expect, it } from 'vitest';
import { projectionOf } from '../../../../../web/demo/words/map/projection.ts';

const rows = (...vectors: number[][]): Float32Array[] =>
  vectors.map((vector) => Float32Array.from(vector));

describe('the projection', () => {
  it('finds the two directions of a tilted rectangle, the longer first', () => {
    // Corners of a rectangle of 8 by 2 whose sides run along (1, 1, 0)/√2 and (0, 0, 1).
    const half = 4 / Math.SQRT2;
    const { points, explainedVariance } = projectionOf(
      rows([half, half, 1], [half, half, -1], [-half, -half, 1], [-half, -half, -1]),
    );
    expect(points.map(({ x }) => Math.abs(x))).toEqual([4, 4, 4, 4].map((x) => expect.closeTo(x)));
    expect(points.map(({ y }) => Math.abs(y))).toEqual([1, 1, 1, 1].map((y) => expect.closeTo(y)));
    expect(explainedVariance).toBeCloseTo(1);
  });

  it('reports the share of the variance that it keeps', () => {
    // Variances 9, 4 and 1 along three axes.
    const { explainedVariance } = projectionOf(
      rows([3, 0, 0], [-3, 0, 0], [0, 2, 0], [0, -2, 0], [0, 0, 1], [0, 0, -1]),
    );
    expect(explainedVariance).toBeCloseTo(13 / 14);
  });

  it('keeps sums: a parallelogram stays one', () => {
    const [a, b, c] = [
      [1, 5, -2, 0.5],
      [3, 1, 0, -1],
      [-2, 2, 4, 2],
    ] as const;
    const d = b.map((value, i) => value - (a[i] ?? 0) + (c[i] ?? 0));
    const { points } = projectionOf(rows([...a], [...b], [...c], d));
    const [p, q, r, s] = points;
    expect((q?.x ?? 0) - (p?.x ?? 0)).toBeCloseTo((s?.x ?? 0) - (r?.x ?? 0));
    expect((q?.y ?? 0) - (p?.y ?? 0)).toBeCloseTo((s?.y ?? 0) - (r?.y ?? 0));
  });

  it('keeps the distances of points in one plane', () => {
    const flat = rows([0, 0, 7], [3, 0, 7], [3, 4, 7]);
    const { points } = projectionOf(flat);
    const far = (i: number, j: number): number =>
      Math.hypot(
        (points[i]?.x ?? 0) - (points[j]?.x ?? 0),
        (points[i]?.y ?? 0) - (points[j]?.y ?? 0),
      );
    expect([far(0, 1), far(1, 2), far(0, 2)]).toEqual([3, 4, 5].map((x) => expect.closeTo(x, 5)));
  });

  it('puts two words on a line', () => {
    const { points, explainedVariance } = projectionOf(rows([0.1, 0.7, -0.3], [0.9, -0.2, 0.4]));
    expect(points.map(({ y }) => y)).toEqual([0, 0]);
    expect((points[0]?.x ?? 0) + (points[1]?.x ?? 0)).toBeCloseTo(0);
    expect(explainedVariance).toBeCloseTo(1);
  });

  it('can be fitted to some of the vectors', () => {
    const { points, explainedVariance } = projectionOf(
      rows([2, 0, 0], [-2, 0, 0], [0, 1, 0], [0, -1, 0], [1, 0, 9]),
      4,
    );
    expect(Math.abs(points[4]?.x ?? 0)).toBeCloseTo(1);
    expect(points[4]?.y).toBeCloseTo(0);
    expect(explainedVariance).toBeCloseTo(11 / 92);
  });

  it.each([
    ['no word', rows()],
    ['one word', rows([1, 2])],
    ['the same word twice', rows([1, 2], [1, 2])],
  ])('puts %s at the origin', (_, vectors) => {
    const { points, explainedVariance } = projectionOf(vectors);
    expect(points).toEqual(vectors.map(() => ({ x: 0, y: 0 })));
    expect(explainedVariance).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import {
  alignTo,
  type PointPair,
  startOf,
} from '../../../../../web/demo/shared/point-map/align.ts';

describe('a new map', () => {
  const before = new Float32Array([2, 0, -1, 1, -1, -1.5, 0, 0.5]);
  // The point before is at another place of the new map, which has one more.
  const pairs: PointPair[] = [0, 1, 2, 3].map((old) => [old + 1, old]);

  const turned = (angle: number, flip: number): Float32Array => {
    const positions = new Float32Array(10).fill(0.1);
    for (const [now, old] of pairs) {
      const [x, y] = [before[2 * old] ?? 0, flip * (before[2 * old + 1] ?? 0)];
      positions[2 * now] = Math.cos(angle) * x - Math.sin(angle) * y;
      positions[2 * now + 1] = Math.sin(angle) * x + Math.cos(angle) * y;
    }
    return positions;
  };

  for (const angle of [0, 1, -2.5]) {
    for (const flip of [1, -1]) {
      it(`is turned back by ${angle}${flip < 0 ? ', and mirrored' : ''}`, () => {
        const positions = turned(angle, flip);
        alignTo(positions, before, pairs);
        for (const [i, x] of before.entries()) {
          expect(positions[i + 2]).toBeCloseTo(x, 5);
        }
      });
    }
  }

  it('stays as it is without points of the old one', () => {
    const positions = turned(1, 1);
    const copy = positions.slice();
    alignTo(positions, before, []);
    expect(positions).toEqual(copy);
  });

  it('begins where its points were', () => {
    const start = startOf(new Float32Array(10).fill(7), before, pairs);
    expect([...start]).toEqual([7, 7, ...before]);
  });
});

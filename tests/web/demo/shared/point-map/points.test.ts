import { describe, expect, it } from 'vitest';
import { fitCamera, pixelOf, zoomed } from '../../../../../web/demo/shared/point-map/camera.ts';
import { radiusOf } from '../../../../../web/demo/shared/point-map/painter.ts';
import {
  groupsOf,
  type PointMapData,
  pointAt,
  pointTowards,
  positionOf,
} from '../../../../../web/demo/shared/point-map/points.ts';
import { placeGroups } from '../../../../../web/demo/shared/point-map/text-labels.ts';

// 0 is in the middle, 1 right, 2 far right, 3 above, 4 below on the left.
const data: PointMapData = {
  positions: new Float32Array([0, 0, 1, 0.1, 3, 0, 0, 2, -1, -1]),
  members: new Uint32Array([0, 0, 0, 1, 1]),
  groups: [],
  describe: () => ({ source: '', text: '' }),
};
const frame = { width: 600, height: 400 };

describe('points of a map', () => {
  it('are found by a pixel that is near enough', () => {
    const points = [0, 1, 2, 3, 4].map((point) => positionOf(data, point));
    const fit = fitCamera(points, frame);
    for (const camera of [fit, zoomed(fit, 3, { x: 200, y: 200 }, fit)]) {
      for (const [i, point] of points.entries()) {
        const { x, y } = pixelOf(camera, point);
        expect(pointAt(data, camera, { x: x + 4, y: y - 3 }, 12)).toBe(i);
        expect(pointAt(data, camera, { x: x + 14, y }, 12)).toBeNull();
      }
    }
  });

  it('follow one another in the four directions', () => {
    expect(pointTowards(data, 0, { x: 1, y: 0 })).toBe(1);
    expect(pointTowards(data, 1, { x: 1, y: 0 })).toBe(2);
    expect(pointTowards(data, 2, { x: 1, y: 0 })).toBeNull();
    expect(pointTowards(data, 0, { x: 0, y: -1 })).toBe(3);
    expect(pointTowards(data, 0, { x: 0, y: 1 })).toBe(4);
    expect(pointTowards(data, 0, { x: -1, y: 0 })).toBe(4);
  });

  it('make groups with a count and a middle', () => {
    const [first, second, empty] = groupsOf(data.positions, data.members, ['a', 'b', 'c']);
    expect(first).toMatchObject({ name: 'a', count: 3 });
    expect(first?.middle.x).toBeCloseTo(4 / 3);
    expect(second).toEqual({ name: 'b', count: 2, middle: { x: -0.5, y: 0.5 } });
    expect(empty).toEqual({ name: 'c', count: 0, middle: { x: 0, y: 0 } });
  });

  it('are smaller where there are many, and larger when they are near', () => {
    expect(radiusOf(100, 1)).toBeGreaterThan(radiusOf(1000, 1));
    expect(radiusOf(20_000, 8)).toBeGreaterThan(radiusOf(20_000, 1));
    expect(radiusOf(10, 1e6)).toBeLessThan(10);
  });
});

describe('names of groups on a map', () => {
  it('never cover one another and stay in the frame', () => {
    const groups = Array.from({ length: 30 }, (_, i) => ({
      x: (i * 97) % 600,
      y: (i * 61) % 400,
      width: 120,
    }));
    const places = placeGroups(groups, frame);
    const boxes = places.filter((place) => place !== null);
    expect(boxes.length).toBeGreaterThan(10);
    for (const [i, a] of boxes.entries()) {
      expect(a.x).toBeGreaterThanOrEqual(0);
      expect(a.x + 120).toBeLessThanOrEqual(600);
      for (const b of boxes.slice(i + 1)) {
        expect(Math.abs(a.x - b.x) >= 120 || Math.abs(a.y - b.y) >= 18).toBe(true);
      }
    }
  });

  it('stand beside what they must not cover, or are left out', () => {
    const group = { x: 300, y: 200, width: 40 };
    const point = { x: 295, y: 195, width: 10, height: 10 };
    const [place] = placeGroups([group], frame, [point]);
    expect(place?.y).toBe(200 - 9 - 18);
    const all = { x: 200, y: 100, width: 200, height: 200 };
    expect(placeGroups([group], frame, [all])).toEqual([null]);
  });

  it('are left out when their middle is not in view', () => {
    expect(placeGroups([{ x: -5, y: 10, width: 40 }], frame)).toEqual([null]);
  });
});

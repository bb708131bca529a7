import { describe, expect, it } from 'vitest';
import {
  type LabelledPoint,
  placeLabels,
} from '../../../../../web/demo/shared/point-map/label-layout.ts';

describe('labels', () => {
  const frame = { width: 400, height: 300 };
  const at = (x: number, y: number): LabelledPoint => ({ x, y, label: { width: 60, height: 16 } });

  it('are right of their points if there is space', () => {
    expect(placeLabels([at(100, 100)], frame)).toEqual([{ x: 107, y: 92 }]);
  });

  it('are left of points at the right edge', () => {
    expect(placeLabels([at(390, 100)], frame)).toEqual([{ x: 323, y: 92 }]);
  });

  it('never cover one another, a point, or the edge', () => {
    const points = Array.from({ length: 40 }, (_, i) => at((i * 97) % 400, (i * 61) % 300));
    const labels = placeLabels(points, frame);
    const boxes = labels.flatMap((label) =>
      label === null
        ? []
        : [{ left: label.x, top: label.y, right: label.x + 60, bottom: label.y + 16 }],
    );
    expect(boxes.length).toBeGreaterThan(5);
    boxes.forEach((a, i) => {
      expect(a.left).toBeGreaterThanOrEqual(0);
      expect(a.bottom).toBeLessThanOrEqual(300);
      for (const b of boxes.slice(i + 1)) {
        const apart =
          a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        expect(apart).toBe(true);
      }
      for (const { x, y } of points) {
        expect(x > a.left && x < a.right && y > a.top && y < a.bottom).toBe(false);
      }
    });
  });

  it('are left out if there is no space, later ones first', () => {
    const crowd = Array.from({ length: 30 }, () => at(200, 150));
    const served = placeLabels(crowd, frame).map((label) => label !== null);
    expect(served.slice(0, 2)).toEqual([true, true]);
    expect(served.filter(Boolean).length).toBeLessThanOrEqual(8);
  });

  it('do not cover lines', () => {
    const from = at(100, 100);
    const to = { x: 300, y: 100 };
    const label = placeLabels([from], frame, [[from, to]])[0];
    expect(label).toEqual({ x: 33, y: 92 });
  });

  it('are left out for points outside the frame', () => {
    expect(placeLabels([at(200, 150), at(-20, 150)], frame)[1]).toBeNull();
  });
});

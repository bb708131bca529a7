import { describe, expect, it } from 'vitest';
import {
  fitCamera,
  moved,
  pixelOf,
  zoomed,
} from '../../../../../web/demo/shared/point-map/camera.ts';

describe('the camera', () => {
  const frame = { width: 640, height: 456 };
  const points = [
    { x: -1, y: -1 },
    { x: 1, y: 1 },
  ];

  it('shows all points with space for labels, with y upwards', () => {
    const fit = fitCamera(points, frame);
    expect(points.map((point) => pixelOf(fit, point))).toEqual([
      { x: 120, y: 428 },
      { x: 520, y: 28 },
    ]);
  });

  it('keeps the pixel under the pointer where it is', () => {
    const fit = fitCamera(points, frame);
    const at = pixelOf(fit, { x: 0.5, y: 0.25 });
    expect(pixelOf(zoomed(fit, 2, at, fit), { x: 0.5, y: 0.25 })).toEqual(at);
  });

  it('zooms out to all points at most, and in by a factor of 16 at most', () => {
    const fit = fitCamera(points, frame);
    const at = { x: 0, y: 0 };
    expect(zoomed(moved(fit, { x: 50, y: 0 }), 0.5, at, fit)).toEqual(fit);
    expect(zoomed(fit, 1000, at, fit).scale).toBe(fit.scale * 16);
  });

  it('shows a single point in the middle', () => {
    const fit = fitCamera([{ x: 5, y: 5 }], frame);
    expect(pixelOf(fit, { x: 5, y: 5 })).toEqual({ x: 320, y: 228 });
  });
});

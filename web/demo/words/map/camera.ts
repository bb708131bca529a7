// Which part of a map is looked at: places of the map to pixels of the frame, with y upwards.

import type { Point } from './projection.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Camera {
  /** Pixels a unit of the map, the same along both axes, so that distances are true. */
  readonly scale: number;
  /** Where the map's 0, 0 is in the frame. */
  readonly x: number;
  readonly y: number;
}

/** Room for labels beside the outermost points. */
const kMargin: Size = { width: 70, height: 28 };
const kClosest = 16;

function range(values: readonly number[]): { middle: number; extent: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { middle: (low + high) / 2, extent: high - low };
}

/** All points, as large as they fit. */
export function fitting(points: readonly Point[], { width, height }: Size): Camera {
  if (points.length === 0) {
    return { scale: 1, x: width / 2, y: height / 2 };
  }
  const across = range(points.map(({ x }) => x));
  const up = range(points.map(({ y }) => y));
  const wide = Math.max(1, width - 2 * kMargin.width);
  const high = Math.max(1, height - 2 * kMargin.height);
  const fits = Math.min(wide / across.extent, high / up.extent);
  const scale = Number.isFinite(fits) ? fits : 1;
  return { scale, x: width / 2 - across.middle * scale, y: height / 2 + up.middle * scale };
}

export function place({ scale, x, y }: Camera, point: Point): Point {
  return { x: x + point.x * scale, y: y - point.y * scale };
}

/** Nearer or farther, with the pixel `at` staying where it is; never farther than `whole`. */
export function zoomed(camera: Camera, factor: number, at: Point, whole: Camera): Camera {
  const scale = Math.min(whole.scale * kClosest, camera.scale * factor);
  if (scale <= whole.scale) {
    return whole;
  }
  const by = scale / camera.scale;
  return { scale, x: at.x - (at.x - camera.x) * by, y: at.y - (at.y - camera.y) * by };
}

export function moved({ scale, x, y }: Camera, by: Point): Camera {
  return { scale, x: x + by.x, y: y + by.y };
}

// The visible part of a map. A camera turns points of the map into pixels of the frame. The y axis points upwards.

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Camera {
  /** Pixels per unit of the map. It is the same for both axes, so that distances stay true. */
  readonly scale: number;
  /** The position of the map's origin in the frame. */
  readonly x: number;
  readonly y: number;
}

/** Space for the labels of the outermost points. */
const labelMargin: Size = { width: 70, height: 28 };
/** The largest zoom factor of a map of few points. */
const maxZoom = 16;

function range(values: readonly number[]): { middle: number; extent: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { middle: (low + high) / 2, extent: high - low };
}

/** A camera that shows all points as large as possible. */
export function fitCamera(
  points: readonly Point[],
  { width, height }: Size,
  margin = labelMargin,
): Camera {
  if (points.length === 0) {
    return { scale: 1, x: width / 2, y: height / 2 };
  }
  const across = range(points.map(({ x }) => x));
  const up = range(points.map(({ y }) => y));
  const wide = Math.max(1, width - 2 * margin.width);
  const high = Math.max(1, height - 2 * margin.height);
  const fits = Math.min(wide / across.extent, high / up.extent);
  const scale = Number.isFinite(fits) ? fits : 1;
  return { scale, x: width / 2 - across.middle * scale, y: height / 2 + up.middle * scale };
}

/** The pixel of a point. */
export function pixelOf({ scale, x, y }: Camera, point: Point): Point {
  return { x: x + point.x * scale, y: y - point.y * scale };
}

/** Zooms by a factor around the pixel `at`. `fit` is the camera that shows all points, and the smallest zoom. */
export function zoomed(
  camera: Camera,
  factor: number,
  at: Point,
  fit: Camera,
  most = maxZoom,
): Camera {
  const scale = Math.min(fit.scale * most, camera.scale * factor);
  if (scale <= fit.scale) {
    return fit;
  }
  const by = scale / camera.scale;
  return { scale, x: at.x - (at.x - camera.x) * by, y: at.y - (at.y - camera.y) * by };
}

export function moved({ scale, x, y }: Camera, by: Point): Camera {
  return { scale, x: x + by.x, y: y + by.y };
}

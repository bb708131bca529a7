// Draws a map of many points on a canvas: the points, the names, what stands out.

import { type Point, pixelOf } from './camera.ts';
import type { MapColours } from './map-colours.ts';
import { PointRaster } from './point-raster.ts';
import { countOf, type MapView, type PointMapData, positionOf } from './points.ts';
import { groupLabels, pointLabels } from './text-labels.ts';

const lineAlpha = 0.45;
const hitRadius = 9;
/** So many hits have their rank in them, unless points have names. */
const numberedHits = 20;
const namedHitRadius = 5;
/** Points have their names from this zoom on, and groups have theirs until then. */
const namedZoom = 2.5;

/** Fewer points are larger, and all grow a little when they are nearer. */
export function radiusOf(count: number, zoom: number): number {
  const base = Math.min(4, Math.max(1.5, 60 / Math.sqrt(count)));
  return Math.min(7, base * Math.max(1, zoom) ** 0.3);
}

function dot(context: CanvasRenderingContext2D, { x, y }: Point, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

export class Painter {
  readonly #raster = new PointRaster();

  /** `ratio` is device pixels per pixel. */
  paint(
    context: CanvasRenderingContext2D,
    data: PointMapData,
    view: MapView,
    colours: MapColours,
    ratio: number,
  ): void {
    const { camera, fit, size, hits } = view;
    const radius = radiusOf(countOf(data), camera.scale / fit.scale);
    // A map of words always has a word that stands out.
    const faded = data.labels === undefined ? colours.fadedDots : colours.softDots;
    context.setTransform(1, 0, 0, 1, 0, 0);
    this.#raster.paint(context, {
      positions: data.positions,
      members: data.members,
      colours: hits.length === 0 ? colours.dots : faded,
      camera,
      size,
      ratio,
      radius,
    });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const isNear = data.labels !== undefined && camera.scale >= namedZoom * fit.scale;
    const taken =
      data.labels === undefined
        ? []
        : pointLabels(context, data, view, colours, { ratio, all: isNear });
    if (!isNear) {
      groupLabels(context, data, view, colours, { ratio, taken });
    }
    this.#paintHits(context, data, view, colours);
    this.#paintCurrent(context, data, view, colours, radius);
  }

  /** The best hit is drawn last, over the others. */
  #paintHits(
    context: CanvasRenderingContext2D,
    data: PointMapData,
    { camera, hits, query }: MapView,
    { hit, hitInk, query: queryColour, sheet, font }: MapColours,
  ): void {
    const places = hits.map((point) => pixelOf(camera, positionOf(data, point)));
    const from = query === null ? null : pixelOf(camera, query);
    if (from !== null) {
      context.strokeStyle = queryColour;
      context.lineWidth = 1;
      context.beginPath();
      for (const { x, y } of places) {
        context.moveTo(from.x, from.y);
        context.lineTo(x, y);
      }
      context.globalAlpha = lineAlpha;
      context.stroke();
      context.globalAlpha = 1;
    }
    context.font = `600 11px ${font}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineWidth = 1.5;
    const numbered = data.labels === undefined ? numberedHits : 0;
    for (const [rank, place] of [...places.entries()].reverse()) {
      context.fillStyle = hit;
      context.strokeStyle = sheet;
      dot(context, place, rank < numbered ? hitRadius : namedHitRadius);
      context.fill();
      context.stroke();
      if (rank < numbered) {
        context.fillStyle = hitInk;
        context.fillText(String(rank + 1), place.x, place.y + 0.5);
      }
    }
    if (from !== null) {
      paintQuery(context, from, queryColour, sheet);
    }
  }

  #paintCurrent(
    context: CanvasRenderingContext2D,
    data: PointMapData,
    { camera, current }: MapView,
    { ink }: MapColours,
    radius: number,
  ): void {
    if (current !== null) {
      context.strokeStyle = ink;
      context.lineWidth = 2;
      dot(context, pixelOf(camera, positionOf(data, current)), Math.max(radius + 3, hitRadius));
      context.stroke();
    }
  }
}

/** A star with four points. */
function paintQuery(
  context: CanvasRenderingContext2D,
  { x, y }: Point,
  colour: string,
  sheet: string,
): void {
  const [long, short] = [13, 4.5];
  context.beginPath();
  for (let i = 0; i < 8; i += 1) {
    const reach = i % 2 === 0 ? long : short;
    const angle = (i * Math.PI) / 4;
    context.lineTo(x + reach * Math.sin(angle), y - reach * Math.cos(angle));
  }
  context.closePath();
  context.fillStyle = colour;
  context.strokeStyle = sheet;
  context.lineWidth = 2;
  context.stroke();
  context.fill();
}

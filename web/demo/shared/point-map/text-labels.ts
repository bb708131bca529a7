// The names of groups and points on a map. None covers another.

import { type Point, pixelOf, type Size } from './camera.ts';
import { placeLabels } from './label-layout.ts';
import type { MapColours } from './map-colours.ts';
import { countOf, type MapView, type PointMapData, positionOf } from './points.ts';

const lineHeight = 18;
const padding = 6;
/** Longer lists of candidates take too long to place on each frame. */
const mostLabels = 70;

export interface Box extends Point, Size {}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** A text as a picture. To outline a text takes long, and a map that moves does it on each frame. */
interface LabelPicture {
  readonly canvas: OffscreenCanvas;
  readonly width: number;
}

const pictures = new Map<string, LabelPicture>();
const mostPictures = 600;
const outline = 4;

interface LabelStyle {
  readonly font: string;
  readonly colours: MapColours;
  readonly ratio: number;
}

/** An outline keeps text readable over points. */
function drawLabel(text: string, { font, colours, ratio }: LabelStyle): LabelPicture {
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext('2d');
  if (context === null) {
    return { canvas, width: 0 };
  }
  context.font = font;
  const { width } = context.measureText(text);
  canvas.width = Math.ceil((width + 2 * outline) * ratio);
  canvas.height = Math.ceil((lineHeight + 2 * outline) * ratio);
  context.scale(ratio, ratio);
  context.font = font;
  context.textBaseline = 'middle';
  context.strokeStyle = colours.sheet;
  context.lineWidth = outline;
  context.lineJoin = 'round';
  const y = outline + lineHeight / 2;
  context.strokeText(text, outline, y);
  context.fillStyle = colours.ink;
  context.fillText(text, outline, y);
  return { canvas, width };
}

function labelOf(text: string, style: LabelStyle): LabelPicture {
  const { font, colours, ratio } = style;
  const key = `${font} ${colours.ink} ${colours.sheet} ${ratio} ${text}`;
  let picture = pictures.get(key);
  if (picture === undefined) {
    if (pictures.size >= mostPictures) {
      pictures.clear();
    }
    picture = drawLabel(text, style);
    pictures.set(key, picture);
  }
  return picture;
}

/** The upper left corner of the text is at a whole device pixel, so that it stays sharp. */
function paintLabel(
  context: CanvasRenderingContext2D,
  { canvas }: LabelPicture,
  { x, y }: Point,
  ratio: number,
): void {
  const whole = (value: number): number => Math.round(value * ratio) / ratio;
  const [width, height] = [canvas.width / ratio, canvas.height / ratio];
  context.drawImage(canvas, whole(x - outline), whole(y - outline), width, height);
}

/** Frames below this width show one word of each group, and no name over a point. */
const narrow = 560;
/** The points of larger maps are too many to look at on each frame, and too dense to leave space. */
const mostDots = 2000;
const dotHalf = 5;

/** Boxes around the points, which names on a narrow map do not cover. */
function dotsOf(data: PointMapData, { camera, size }: MapView): Box[] {
  const count = countOf(data);
  if (size.width >= narrow || count > mostDots) {
    return [];
  }
  return Array.from({ length: count }, (_, point) => {
    const { x, y } = pixelOf(camera, positionOf(data, point));
    return { x: x - dotHalf, y: y - dotHalf, width: 2 * dotHalf, height: 2 * dotHalf };
  });
}

/** Where a name may stand, in its widths and heights from the middle of its group: first in the middle, above and below. */
const places = [0, -0.5, 0.5].flatMap((aside) =>
  [0, -1, 1, -2, 2].map((shift) => [aside, shift] as const),
);

const firstWord = (name: string): string => name.split(', ')[0] ?? name;

/** The places of the names of groups, largest group first: at its middle, or a little above or below. Those that would
 *  leave the frame are moved into it. None covers the boxes of `others`. A group without space, or out of view, has none. */
export function placeGroups(
  groups: readonly (Point & { readonly width: number })[],
  { width, height }: Size,
  others: readonly Box[] = [],
): (Point | null)[] {
  const taken = [...others];
  return groups.map((group) => {
    if (group.x < 0 || group.y < 0 || group.x > width || group.y > height) {
      return null;
    }
    const middle = group.x - group.width / 2;
    for (const [aside, shift] of places) {
      const wanted = middle + aside * group.width;
      const x = Math.min(Math.max(wanted, padding), width - group.width - padding);
      const y = group.y - lineHeight / 2 + shift * lineHeight;
      const box = { x: x - padding, y, width: group.width + 2 * padding, height: lineHeight };
      const inside = x >= 0 && y >= 0 && y + lineHeight <= height;
      if (inside && !taken.some((other) => overlap(box, other))) {
        taken.push(box);
        return { x, y };
      }
    }
    return null;
  });
}

export function groupLabels(
  context: CanvasRenderingContext2D,
  data: PointMapData,
  view: MapView,
  colours: MapColours,
  { ratio, taken }: { readonly ratio: number; readonly taken: readonly Box[] },
): void {
  const { camera, size } = view;
  const style = { font: `600 12px ${colours.font}`, colours, ratio };
  const named = data.groups
    .filter(({ name }) => name !== '')
    .sort((a, b) => b.count - a.count)
    .map(({ name, middle }) => {
      const picture = labelOf(size.width < narrow ? firstWord(name) : name, style);
      return { picture, ...pixelOf(camera, middle), width: picture.width };
    });
  placeGroups(named, size, [...taken, ...dotsOf(data, view)]).forEach((place, i) => {
    const picture = named[i]?.picture;
    if (place !== null && picture !== undefined) {
      paintLabel(context, picture, place, ratio);
    }
  });
}

/** The hits, and the most important of the other points in view. */
function labelledPoints(
  data: PointMapData,
  { camera, size, hits }: MapView,
  all: boolean,
): number[] {
  const found = [...hits.slice(0, mostLabels)];
  const chosen = new Set(found);
  const most = all ? mostLabels : found.length;
  const count = data.labels?.length ?? 0;
  for (let point = 0; point < count && found.length < most; point += 1) {
    const { x, y } = pixelOf(camera, positionOf(data, point));
    if (x >= 0 && y >= 0 && x <= size.width && y <= size.height && !chosen.has(point)) {
      found.push(point);
    }
  }
  return found;
}

/** The names of the points that stand out, and with `all` of others where there is space. Returns where they are. */
export function pointLabels(
  context: CanvasRenderingContext2D,
  data: PointMapData,
  view: MapView,
  colours: MapColours,
  { ratio, all }: { readonly ratio: number; readonly all: boolean },
): Box[] {
  const style = { font: `13px ${colours.font}`, colours, ratio };
  const points = labelledPoints(data, view, all).map((point) => {
    const picture = labelOf(data.labels?.[point] ?? '', style);
    const label = { width: picture.width, height: lineHeight };
    return { picture, label, ...pixelOf(view.camera, positionOf(data, point)) };
  });
  return placeLabels(points, view.size).flatMap((place, i) => {
    const point = points[i];
    if (place === null || point === undefined) {
      return [];
    }
    paintLabel(context, point.picture, place, ratio);
    return [{ ...place, ...point.label }];
  });
}

// Where the boxes and the arrows of a graph are drawn. The graph goes downwards.

import type { Point } from '../../../shared/point-map/camera.ts';
import type { BoxGraph, GraphBox, GraphEdge } from './boxes.ts';
import { type Layers, layersOf, type Place } from './layers.ts';

export interface PlacedBox {
  readonly box: GraphBox;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedEdge {
  readonly edge: GraphEdge;
  /** From the box that makes the value to the one that takes it. */
  readonly points: readonly Point[];
  /** One arrow of a value has its type. */
  readonly labelled: boolean;
}

export interface GraphLayout {
  readonly boxes: readonly PlacedBox[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

export const titleHeight = 24;
export const lineHeight = 15;
const padding = 10;
const narrowest = 72;
const widest = 230;
const gapAcross = 26;
const gapOfBends = 12;
const gapDown = 44;
/** About the width of a character of a title, and of a line. */
export const characterWidths = { title: 7.9, line: 6.7 } as const;
const sweeps = 12;

function widthOf({ title, lines }: GraphBox): number {
  const longest = Math.max(
    title.length * characterWidths.title,
    ...lines.map((line) => line.length * characterWidths.line),
  );
  return Math.ceil(Math.min(widest, Math.max(narrowest, longest + 2 * padding + 1)));
}

const heightOf = ({ lines }: GraphBox): number =>
  titleHeight + (lines.length > 0 ? lines.length * lineHeight + 6 : 0);

/** Moves the places of a layer as near as possible to where they want to be, without changing their order. Where several want the same
 *  room, they share it around the mean of what they want. */
export function spread(wanted: readonly number[], gaps: readonly number[]): number[] {
  const offsets = [0];
  for (const gap of gaps) {
    offsets.push((offsets.at(-1) as number) + gap);
  }
  const runs: { sum: number; count: number }[] = [];
  wanted.forEach((value, i) => {
    let run = { sum: value - (offsets[i] as number), count: 1 };
    let last = runs.at(-1);
    while (last && last.sum / last.count > run.sum / run.count) {
      run = { sum: last.sum + run.sum, count: last.count + run.count };
      runs.pop();
      last = runs.at(-1);
    }
    runs.push(run);
  });
  const begins = runs.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count));
  return begins.map((begin, i) => begin + (offsets[i] as number));
}

/** How far apart the middles of neighbours in a layer are. */
function gapsOf(layer: readonly Place[]): number[] {
  return layer.slice(1).map((place, i) => {
    const before = layer[i] as Place;
    const isBend = place.box === undefined || before.box === undefined;
    return (before.width + place.width) / 2 + (isBend ? gapOfBends : gapAcross);
  });
}

/** The middle of each place: near to those that it is connected with. */
function middlesOf({ layers }: Layers): Map<Place, number> {
  const middles = new Map<Place, number>();
  const settle = (layer: readonly Place[], wantedOf: (place: Place) => number): void => {
    const placed = spread(layer.map(wantedOf), gapsOf(layer));
    for (const [i, place] of layer.entries()) {
      middles.set(place, placed[i] as number);
    }
  };
  const meanOf = (places: readonly Place[], own: Place): number => {
    const sum = places.reduce((all, place) => all + (middles.get(place) as number), 0);
    return places.length === 0 ? (middles.get(own) as number) : sum / places.length;
  };
  for (const layer of layers) {
    settle(layer, () => 0);
  }
  const upwards = layers.toReversed();
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    for (const layer of layers) {
      settle(layer, (place) => meanOf(place.above, place));
    }
    for (const layer of upwards) {
      settle(layer, (place) => meanOf(place.below, place));
    }
  }
  for (const layer of layers) {
    settle(layer, (place) => meanOf([...place.above, ...place.below], place));
  }
  return middles;
}

/** Where a place is, from its top to its bottom. */
interface Bounds {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

export function layoutOf({ boxes, edges }: BoxGraph): GraphLayout {
  const found = layersOf(boxes.map(widthOf), edges);
  const middles = middlesOf(found);
  const sides = [...middles].map(([{ width }, middle]) => [middle - width / 2, middle + width / 2]);
  const left = Math.min(...sides.map(([side = 0]) => side));
  const right = Math.max(...sides.map(([, side = 0]) => side));
  const bounds = new Map<Place, Bounds>();
  let top = 0;
  for (const layer of found.layers) {
    const heights = layer.map(({ box }) =>
      box === undefined ? 0 : heightOf(boxes[box] as GraphBox),
    );
    const height = Math.max(0, ...heights);
    layer.forEach((place, i) => {
      const own = place.box === undefined ? height : (heights[i] as number);
      const y = top + (height - own) / 2;
      bounds.set(place, { x: (middles.get(place) as number) - left, top: y, bottom: y + own });
    });
    top += height + gapDown;
  }
  return {
    boxes: placedBoxes(boxes, bounds),
    edges: placedEdges(edges, found, bounds),
    width: boxes.length > 0 ? right - left : 0,
    height: Math.max(0, top - gapDown),
  };
}

function placedBoxes(
  boxes: readonly GraphBox[],
  bounds: ReadonlyMap<Place, Bounds>,
): readonly PlacedBox[] {
  const placed: PlacedBox[] = [];
  for (const [{ box, width }, { x, top, bottom }] of bounds) {
    if (box !== undefined) {
      const one = boxes[box] as GraphBox;
      placed[box] = { box: one, x: x - width / 2, y: top, width, height: bottom - top };
    }
  }
  return placed;
}

function placedEdges(
  edges: readonly GraphEdge[],
  { ways }: Layers,
  bounds: ReadonlyMap<Place, Bounds>,
): readonly PlacedEdge[] {
  const named = new Set<string>();
  return ways
    .toSorted((a, b) => a.edge - b.edge)
    .map(({ edge: i, places }) => {
      const edge = edges[i] as GraphEdge;
      const points = places.flatMap((place, at) => {
        const { x, top, bottom } = bounds.get(place) as Bounds;
        const end = at === places.length - 1 ? [] : [{ x, y: bottom }];
        return at === 0 ? end : [{ x, y: top }, ...end];
      });
      const labelled = edge.label !== '' && !named.has(edge.value);
      if (labelled) {
        named.add(edge.value);
      }
      return { edge, points: edge.from > edge.to ? points.reverse() : points, labelled };
    });
}

// Which layer each box of a graph is in, and in which order the boxes of a layer stand. Arrows go from layer to layer: a long one goes through
// bends, which have a place in each layer on its way.

/** A place in a layer: a box, or the bend of an arrow. */
export interface Place {
  /** The index of the box. Undefined for a bend. */
  readonly box: number | undefined;
  readonly width: number;
  /** In the layers before and after. */
  readonly above: Place[];
  readonly below: Place[];
  /** Where it stands in its layer. */
  order: number;
}

/** An arrow with the places on its way, from the upper one on. */
export interface Way {
  readonly edge: number;
  readonly places: readonly Place[];
}

export interface Layers {
  readonly layers: readonly (readonly Place[])[];
  readonly ways: readonly Way[];
}

interface Ends {
  readonly from: number;
  readonly to: number;
}

const bendWidth = 6;
/** With more bends, the longest arrows go straight. */
const mostBends = 4000;
const sweeps = 8;

/** The layer of each box: below all boxes that lead to it. An arrow to an earlier box counts as one from it. */
export function ranksOf(count: number, edges: readonly Ends[]): number[] {
  const after: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) {
    after[Math.min(from, to)]?.push(Math.max(from, to));
  }
  const ranks = new Array<number>(count).fill(0);
  for (let box = 0; box < count; box += 1) {
    for (const next of after[box] ?? []) {
      ranks[next] = Math.max(ranks[next] as number, (ranks[box] as number) + 1);
    }
  }
  // What nothing leads to stands near what it leads to.
  const before = new Set(edges.map(({ from, to }) => Math.max(from, to)));
  for (let box = 0; box < count; box += 1) {
    const next = (after[box] ?? []).map((each) => ranks[each] as number);
    if (!before.has(box) && next.length > 0) {
      ranks[box] = Math.min(...next) - 1;
    }
  }
  return ranks;
}

/** Layers without arrows. */
function placesOf(widths: readonly number[], ranks: readonly number[]) {
  const layers: Place[][] = [];
  const places = widths.map((width, box): Place => {
    const rank = ranks[box] as number;
    const place = { box, width, above: [], below: [], order: 0 };
    layers[rank] ??= [];
    layers[rank].push(place);
    return place;
  });
  return { places, layers: Array.from(layers, (layer) => layer ?? []) };
}

function connect(above: Place, below: Place): void {
  above.below.push(below);
  below.above.push(above);
}

export function layersOf(widths: readonly number[], edges: readonly Ends[]): Layers {
  const ranks = ranksOf(widths.length, edges);
  const { places, layers } = placesOf(widths, ranks);
  const span = ({ from, to }: Ends) => Math.abs((ranks[to] as number) - (ranks[from] as number));
  const byLength = edges
    .map((_, i) => i)
    .sort((a, b) => span(edges[a] as Ends) - span(edges[b] as Ends));
  const ways: Way[] = [];
  let left = mostBends;
  for (const edge of byLength) {
    const ends = edges[edge] as Ends;
    const [upper, lower] = [Math.min(ends.from, ends.to), Math.max(ends.from, ends.to)];
    const way = [places[upper] as Place];
    left -= span(ends) - 1;
    for (
      let rank = (ranks[upper] as number) + 1;
      left >= 0 && rank < (ranks[lower] as number);
      rank += 1
    ) {
      const bend: Place = { box: undefined, width: bendWidth, above: [], below: [], order: 0 };
      layers[rank]?.push(bend);
      way.push(bend);
    }
    way.push(places[lower] as Place);
    for (const [i, place] of way.slice(1).entries()) {
      connect(way[i] as Place, place);
    }
    ways.push({ edge, places: way });
  }
  orderLayers(layers);
  return { layers, ways };
}

const meanOrder = (places: readonly Place[]): number =>
  places.reduce((sum, { order }) => sum + order, 0) / places.length;

/** Puts the places of each layer near to those that they are connected with, so that few arrows cross. */
function orderLayers(layers: Place[][]): void {
  const number = (layer: Place[]): void => {
    // In parts of the layer, so that layers of different lengths fit.
    layer.forEach((place, i) => {
      place.order = (i + 0.5) / layer.length;
    });
  };
  layers.forEach(number);
  const order = (layer: Place[], side: 'above' | 'below'): void => {
    const wanted = new Map(
      layer.map((place) => [place, place[side].length > 0 ? meanOrder(place[side]) : place.order]),
    );
    layer.sort((a, b) => (wanted.get(a) as number) - (wanted.get(b) as number));
    number(layer);
  };
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    for (const layer of layers) {
      order(layer, 'above');
    }
    for (const layer of sweep < sweeps - 1 ? layers.toReversed() : []) {
      order(layer, 'below');
    }
  }
}

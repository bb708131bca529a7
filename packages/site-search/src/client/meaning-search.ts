// Finds the parts of pages that are near to the meaning of a query, in the lists whose centroids are nearest.
import { CodedProduct, codeBytes } from '../shared/codes.ts';
import { type Centroid, nearestFirst } from '../shared/lists.ts';
import type { Snapshot } from './files/snapshot.ts';

/** Parts that are looked at further. */
const mostKept = 100;
/** With a filter, up to so many times as many lists are read, until enough parts pass it. */
const mostFactor = 4;

export interface NearPart {
  readonly part: number;
  /** The cosine, as far as the codes tell. */
  readonly cosine: number;
}

export interface MeaningFound {
  /** The nearest first. */
  readonly parts: readonly NearPart[];
  /** As far as the codes tell; parts that were not read are hardly nearer than the last one of `parts`. */
  readonly cosineOf: (part: number) => number;
}

/** `vector` is that of the query: a row of the index's length, of length 1. `isAllowed` says which parts pass the filters. */
export async function searchMeaning(
  snapshot: Snapshot,
  vector: Float32Array,
  isAllowed: ((part: number) => boolean) | undefined,
  wanted: number,
): Promise<MeaningFound> {
  const { dim, bits, rowsRead, centroidForm } = snapshot.vectors;
  const centroids = await snapshot.centroids();
  const product = new CodedProduct(vector, bits);
  const begin = vector.subarray(0, centroidForm.dim);
  const order = nearestFirst(centroids, new CodedProduct(begin, centroidForm.bits));
  const found: NearPart[] = [];
  for (let round = 0; round < (isAllowed ? mostFactor : 1) && found.length < wanted; round++) {
    const places = placesWith(rowsRead, order, centroids);
    const lists = await Promise.all(places.map((place) => snapshot.list(place)));
    for (const { rows, factors, codes } of lists) {
      rows.forEach((part, i) => {
        if (isAllowed && !isAllowed(part)) {
          return;
        }
        const cosine = product.of(codes, i * codeBytes(dim, bits), factors[i] as number);
        found.push({ part, cosine });
      });
    }
  }
  found.sort((a, b) => b.cosine - a.cosine);
  const parts = found.slice(0, mostKept);
  const floor = parts.at(-1)?.cosine ?? 0;
  const cosines = new Map(found.map(({ part, cosine }) => [part, cosine]));
  return { parts, cosineOf: (part) => cosines.get(part) ?? floor };
}

/** Takes the next lists from the order that have at most so many rows together, and one at least. */
export function placesWith(
  most: number,
  order: number[],
  centroids: readonly Centroid[],
): number[] {
  let sum = 0;
  const end = order.findIndex((place, i) => {
    sum += (centroids[place] as Centroid).size;
    return i > 0 && sum > most;
  });
  return order.splice(0, end < 0 ? order.length : end);
}

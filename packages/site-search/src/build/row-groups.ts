// Groups the vectors of a site: each group becomes a list that a search reads, or not.
import { clusterVectors } from 'ambry/vectors';
import { encodeVector } from '../shared/codes.ts';
import { dot } from '../shared/dot.ts';
import type { Centroid, VectorForm } from '../shared/lists.ts';
import type { Settings } from './options.ts';

/** Lists of so few rows, or fewer lists, are not worth a request each. */
const leastRows = 256;
/** More lists would make the file of the centroids large, which every reader downloads: 36 KB. */
const mostLists = 700;
/** Rows are grouped by so many of their numbers. More of them take longer and make no better groups. */
const groupedDim = 96;

export interface Groups {
  readonly centroids: readonly Centroid[];
  /** The place of each row's centroid among them. */
  readonly members: Uint32Array;
}

type GroupSettings = Pick<Settings, 'dim' | 'signal' | 'onProgress'>;

/** Every group has rows. `form` is that of the centroids. */
export async function groupRows(
  rows: Float32Array,
  settings: GroupSettings,
  form: VectorForm,
): Promise<Groups> {
  const { dim } = settings;
  const count = listCount(rows.length / dim);
  const members = await membersOf(rows, settings, count);
  const sums = new Float32Array(count * form.dim);
  const sizes = new Uint32Array(count);
  members.forEach((k, i) => {
    sizes[k] = (sizes[k] as number) + 1;
    for (let j = 0; j < form.dim; j++) {
      sums[k * form.dim + j] = (sums[k * form.dim + j] as number) + (rows[i * dim + j] as number);
    }
  });
  const means = beginsOf(sums, form.dim, form.dim);
  const used = [...sizes.keys()].filter((k) => (sizes[k] as number) > 0);
  const kept = neighbours(used, means, form.dim);
  const placeOf = new Map(kept.map((k, place) => [k, place]));
  const centroids = kept.map((k) => {
    const mean = means.subarray(k * form.dim, (k + 1) * form.dim);
    return { size: sizes[k] as number, ...encodeVector(mean, form.bits) };
  });
  return { centroids, members: members.map((k) => placeOf.get(k) as number) };
}

/** The groups in an order in which the next one is the nearest that is left, so that a search reads neighbouring lists. */
function neighbours(groups: readonly number[], means: Float32Array, dim: number): number[] {
  const left = new Set(groups);
  const order: number[] = [];
  for (let next = groups[0]; next !== undefined; ) {
    order.push(next);
    left.delete(next);
    const last = next * dim;
    let [nearest, most]: [number | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
    for (const group of left) {
      const product = dot(means, last, means, group * dim, dim);
      if (product > most) {
        [nearest, most] = [group, product];
      }
    }
    next = nearest;
  }
  return order;
}

/** The group of each row. */
async function membersOf(
  rows: Float32Array,
  { dim, signal, onProgress }: GroupSettings,
  count: number,
): Promise<Uint32Array> {
  if (count === 1) {
    return new Uint32Array(rows.length / dim);
  }
  const width = Math.min(groupedDim, dim);
  const { members } = await clusterVectors(beginsOf(rows, dim, width), {
    dim: width,
    count,
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  return members;
}

/** The first `width` numbers of each row, scaled to length 1. */
function beginsOf(rows: Float32Array, dim: number, width: number): Float32Array {
  const begins = new Float32Array((rows.length / dim) * width);
  for (let from = 0, to = 0; from < rows.length; from += dim, to += width) {
    const begin = rows.subarray(from, from + width);
    const length = Math.hypot(...begin) || 1;
    for (let j = 0; j < width; j++) {
      begins[to + j] = (begin[j] as number) / length;
    }
  }
  return begins;
}

/** About five times the square root. */
function listCount(rows: number): number {
  if (rows < leastRows) {
    return 1;
  }
  return Math.min(mostLists, Math.ceil(5 * Math.sqrt(rows)));
}

// Makes the lists of vectors of a site.
import { clusterVectors } from 'ambry/vectors';
import { type CodeBits, encodeVector } from '../shared/codes.ts';
import {
  type Centroid,
  encodeCentroids,
  encodeList,
  type ListedRow,
  type VectorForm,
} from '../shared/lists.ts';
import type { VectorsInfo } from '../shared/manifest.ts';
import type { IndexWriter } from './index-writer.ts';
import type { Settings } from './options.ts';
import { chooseReading } from './reading.ts';
import type { RowStore } from './row-store.ts';
import { closeFrom, type SampleQueries } from './sample-queries.ts';

/** Lists of so few rows, or fewer lists, are not worth a request each. */
const leastRows = 256;
/** More lists would make the file of the centroids large. */
const mostLists = 1024;
/** Every reader downloads all centroids, so their codes are short. Fewer numbers of more bits find less. */
const centroidDim = 192;
const centroidBits: CodeBits = 2;

type VectorSettings = Pick<Settings, 'dim' | 'bits' | 'queryBytes' | 'signal' | 'onProgress'>;

export async function makeLists(
  store: RowStore,
  queries: SampleQueries,
  settings: VectorSettings,
  writer: IndexWriter,
  pause: () => Promise<void>,
): Promise<VectorsInfo> {
  const { dim } = settings;
  const rows = store.rows();
  const form = { dim: Math.min(centroidDim, dim), bits: centroidBits };
  const { centroids, members } = await grouped(rows, settings, form);
  const sample = { rows, queries: queries.vectors, dim, form, centroids, members };
  const read = await chooseReading(sample, settings, pause);
  const lists = centroids.map((): ListedRow[] => []);
  members.forEach((place, i) => {
    const vector = rows.subarray(i * dim, (i + 1) * dim);
    lists[place]?.push({ row: store.rowAt(i), ...encodeVector(vector, read.bits) });
  });
  return {
    dim,
    ...read,
    centroids: await writer.add('centroids', encodeCentroids(centroids)),
    centroidForm: form,
    set: await writer.addSet('list', lists.map(encodeList)),
    lists: lists.length,
    closeFrom: closeFrom(rows, queries),
  };
}

export interface Groups {
  readonly centroids: readonly Centroid[];
  /** The place of each row's centroid among them. */
  readonly members: Uint32Array;
}

/** Groups the rows by their first numbers. Every group has rows. */
async function grouped(
  rows: Float32Array,
  { dim, signal, onProgress }: VectorSettings,
  { dim: width, bits }: VectorForm,
): Promise<Groups> {
  const begins = beginsOf(rows, dim, width);
  const rowCount = rows.length / dim;
  const count = listCount(rowCount);
  if (count === 1) {
    // It is the nearest, whatever it is.
    const centroid = { size: rowCount, ...encodeVector(begins.subarray(0, width), bits) };
    return { centroids: [centroid], members: new Uint32Array(rowCount) };
  }
  const clusters = await clusterVectors(begins, {
    dim: width,
    count,
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  const sizes = new Uint32Array(count);
  for (const k of clusters.members) sizes[k] = (sizes[k] as number) + 1;
  const kept = [...sizes.keys()].filter((k) => (sizes[k] as number) > 0);
  const placeOf = new Uint32Array(count);
  kept.forEach((k, place) => {
    placeOf[k] = place;
  });
  const centroids = kept.map((k) => {
    // A mean is shorter than what it is the mean of.
    const mean = clusters.centroids.subarray(k * width, (k + 1) * width);
    const centroid = beginsOf(mean, width, width);
    return { size: sizes[k] as number, ...encodeVector(centroid, bits) };
  });
  return { centroids, members: clusters.members.map((k) => placeOf[k] as number) };
}

/** The first `width` numbers of each row, scaled to length 1. */
function beginsOf(rows: Float32Array, dim: number, width: number): Float32Array {
  const begins = new Float32Array((rows.length / dim) * width);
  for (let from = 0, to = 0; from < rows.length; from += dim, to += width) {
    const begin = rows.subarray(from, from + width);
    const length = Math.hypot(...begin) || 1;
    for (let j = 0; j < width; j++) begins[to + j] = (begin[j] as number) / length;
  }
  return begins;
}

/** About three times the square root. */
function listCount(rows: number): number {
  if (rows < leastRows) return 1;
  return Math.min(mostLists, Math.ceil(3 * Math.sqrt(rows)));
}

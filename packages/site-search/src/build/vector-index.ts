// Makes the lists of vectors of a site, and finds out how many of them a search has to read.
import { clusterVectors } from 'ambry/vectors';
import { type CodeBits, CodedProduct, codeBytes, encodeVector } from '../shared/codes.ts';
import {
  type Centroid,
  encodeCentroids,
  encodeList,
  type ListedRow,
  nearestFirst,
  type VectorForm,
} from '../shared/lists.ts';
import type { VectorsInfo } from '../shared/manifest.ts';
import type { IndexWriter } from './index-writer.ts';
import type { Settings } from './options.ts';
import type { RowStore } from './row-store.ts';
import { bestRows, closeFrom, type SampleQueries } from './sample-queries.ts';

/** Lists of so few rows, or fewer lists, are not worth a request each. */
const leastRows = 256;
/** More lists would make the file of the centroids large. */
const mostLists = 1024;
/** Every reader downloads all centroids, so their codes are short. */
const centroidDim = 96;
const centroidBits: CodeBits = 2;
/** Of the ten nearest passages, this share should be in the lists that are read. */
const wantedRecall = 0.95;
/** Of a large site, at most this share of the rows is read. */
const mostRead = 0.1;
const largeFrom = 5000;
/** The bits of rows, best first. With more of them fewer rows can be read. */
const rowBits: readonly CodeBits[] = [4, 2, 1];
/** Of each row in a list: its factor, and how far it is from the one before. */
const bytesBesideCodes = 3;

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
  const needed = await rowsNeeded(sample, pause);
  const read = chooseRows(needed, store.size, settings);
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

interface Groups {
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

interface Sample extends Groups {
  readonly rows: Float32Array;
  readonly queries: Float32Array;
  readonly dim: number;
  /** Of the centroids. */
  readonly form: VectorForm;
}

/** For each of the ten nearest passages of each sample query: the rows that are read before its list is complete. Sorted. */
async function rowsNeeded(sample: Sample, pause: () => Promise<void>): Promise<readonly number[]> {
  const { rows, queries, dim, members } = sample;
  const needed: number[] = [];
  for (let at = 0; at < queries.length; at += dim) {
    await pause();
    const query = queries.subarray(at, at + dim);
    const readUntil = rowsUntil(query, sample);
    for (const row of bestRows(rows, query, 10)) {
      needed.push(readUntil[members[row] as number] as number);
    }
  }
  return needed.sort((a, b) => a - b);
}

/** For each list the rows that a search reads until it has read that list. The nearest list is always read. */
function rowsUntil(query: Float32Array, { form, centroids }: Sample): number[] {
  const product = new CodedProduct(query.subarray(0, form.dim), form.bits);
  const until: number[] = [];
  let sum = 0;
  nearestFirst(centroids, product).forEach((list, place) => {
    sum += (centroids[list] as Centroid).size;
    until[list] = place === 0 ? 0 : sum;
  });
  return until;
}

/** The rows that a search reads, and the bits of their codes: the longest codes with which enough of them fit. */
function chooseRows(
  needed: readonly number[],
  count: number,
  { dim, bits: given, queryBytes }: VectorSettings,
): Pick<VectorsInfo, 'bits' | 'rowsRead' | 'recall'> {
  const fitting = (bits: CodeBits) =>
    Math.max(1, Math.floor(queryBytes / (codeBytes(dim, bits) + bytesBesideCodes)));
  const byShare = count < largeFrom ? count : Math.floor(count * mostRead);
  const enough = needed[Math.ceil(wantedRecall * needed.length) - 1] ?? byShare;
  const wanted = Math.min(enough, byShare);
  const shortest = rowBits.at(-1) as CodeBits;
  const bits = given ?? rowBits.find((one) => fitting(one) >= wanted) ?? shortest;
  const rowsRead = Math.min(wanted, fitting(bits));
  const found = needed.filter((rows) => rows <= rowsRead).length;
  const recall = needed.length === 0 ? 1 : Math.round((1000 * found) / needed.length) / 1000;
  return { bits, rowsRead, recall };
}

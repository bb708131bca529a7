// Makes the lists of vectors of a site, and finds out how many of them a search has to read.
import { CodedProduct, codeBytes, encodeVector } from '../shared/codes.ts';
import { type Centroid, encodeCentroids, encodeList, type ListedRow } from '../shared/lists.ts';
import type { VectorsInfo } from '../shared/manifest.ts';
import type { IndexWriter } from './index-writer.ts';
import { type Clusters, kMeans } from './k-means.ts';
import type { Settings } from './options.ts';
import type { RowStore } from './row-store.ts';
import { bestRows, closeFrom, type SampleQueries } from './sample-queries.ts';

/** Lists of so few rows, or fewer lists, are not worth a request each. */
const leastRows = 256;
/** More lists would make the file of the centroids large. */
const mostLists = 512;
/** Of the ten nearest passages, this share should be in the lists that are read. */
const wantedRecall = 0.95;
/** Of a large site, at most this share of the rows is read. */
const mostRead = 0.1;
const largeFrom = 5000;
/** Of each row in a list: its factor, and how far it is from the one before. */
const bytesBesideCodes = 3;

export async function makeLists(
  store: RowStore,
  queries: SampleQueries,
  { dim, bits, queryBytes }: Pick<Settings, 'dim' | 'bits' | 'queryBytes'>,
  writer: IndexWriter,
  pause: (share: number) => Promise<void>,
): Promise<VectorsInfo> {
  const rows = store.rows();
  const clusters = await kMeans(rows, { dim, count: listCount(store.size), pause });
  const lists = Array.from({ length: clusters.count }, (): ListedRow[] => []);
  clusters.members.forEach((k, i) => {
    const vector = rows.subarray(i * dim, (i + 1) * dim);
    lists[k]?.push({ row: store.rowAt(i), ...encodeVector(vector, bits) });
  });
  const centroids: Centroid[] = [];
  const files: Uint8Array[] = [];
  const kept: number[] = [];
  for (const [k, list] of lists.entries()) {
    if (list.length === 0) continue;
    const vector = clusters.centroids.subarray(k * dim, (k + 1) * dim);
    centroids.push({ size: list.length, ...encodeVector(vector, bits) });
    files.push(encodeList(list));
    kept.push(k);
  }
  const sample = {
    rows,
    queries: queries.vectors,
    dim,
    bits,
    queryBytes,
    clusters,
    centroids,
    kept,
  };
  return {
    dim,
    bits,
    centroids: await writer.add('centroids', encodeCentroids(centroids)),
    set: await writer.addSet('list', files),
    lists: centroids.length,
    ...(await rowsToRead(sample, pause)),
    closeFrom: closeFrom(rows, queries),
  };
}

/** About three times the square root. */
function listCount(rows: number): number {
  if (rows < leastRows) return 1;
  return Math.min(mostLists, Math.ceil(3 * Math.sqrt(rows)));
}

interface Sample {
  readonly rows: Float32Array;
  readonly queries: Float32Array;
  readonly dim: number;
  readonly bits: Settings['bits'];
  readonly queryBytes: number;
  readonly clusters: Clusters;
  readonly centroids: readonly Centroid[];
  /** The cluster of each of them. */
  readonly kept: readonly number[];
}

/** The least number of rows with which the sample queries find enough of their nearest passages, within the limits. */
async function rowsToRead(
  sample: Sample,
  pause: (share: number) => Promise<void>,
): Promise<Pick<VectorsInfo, 'rowsRead' | 'recall'>> {
  const { rows, queries, dim, clusters } = sample;
  /** For each passage that should be found, the rows that are read before its list is complete. */
  const needed: number[] = [];
  for (let at = 0; at < queries.length; at += dim) {
    await pause(-1);
    const query = queries.subarray(at, at + dim);
    const readUntil = rowsUntil(query, sample);
    for (const row of bestRows(rows, query, 10)) {
      needed.push(readUntil.get(clusters.members[row] as number) as number);
    }
  }
  needed.sort((a, b) => a - b);
  const most = mostRows(sample);
  const enough = needed[Math.ceil(wantedRecall * needed.length) - 1] ?? most;
  const rowsRead = Math.min(enough, most);
  const found = needed.filter((count) => count <= rowsRead).length;
  const recall = needed.length === 0 ? 1 : Math.round((1000 * found) / needed.length) / 1000;
  return { rowsRead, recall };
}

function mostRows({ rows, dim, bits, queryBytes }: Sample): number {
  const count = rows.length / dim;
  const byShare = count < largeFrom ? count : count * mostRead;
  const byBytes = queryBytes / (codeBytes(dim, bits) + bytesBesideCodes);
  return Math.max(1, Math.floor(Math.min(byShare, byBytes)));
}

/** For each cluster the rows that a search reads until it has read its list. The nearest list is always read. */
function rowsUntil(query: Float32Array, { bits, centroids, kept }: Sample): Map<number, number> {
  const product = new CodedProduct(query, bits);
  const scores = centroids.map(({ codes, factor }) => product.of(codes, 0, factor));
  const order = [...kept.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number));
  let sum = 0;
  return new Map(
    order.map((i, place) => {
      sum += (centroids[i] as Centroid).size;
      return [kept[i] as number, place === 0 ? 0 : sum];
    }),
  );
}

// Makes the lists of vectors of a site.
import type { ChunkSet } from '../shared/chunks.ts';
import { type CodeBits, encodeVector } from '../shared/codes.ts';
import { encodeCentroids, encodeList, type ListedRow } from '../shared/lists.ts';
import type { VectorsInfo } from '../shared/manifest.ts';
import type { Settings } from './options.ts';
import { chooseReading, wantedRows } from './reading.ts';
import { groupRows } from './row-groups.ts';
import { nearestRows, nearness, type SampleQueries } from './sample-queries.ts';
import type { IndexWriter } from './writing/index-writer.ts';
import type { RowStore } from './writing/row-store.ts';

/** Every reader downloads all centroids, so their codes are short. Fewer numbers of more bits find less. */
const centroidDim = 192;
const centroidBits: CodeBits = 2;

type VectorSettings = Pick<
  Settings,
  'dim' | 'bits' | 'queryBytes' | 'meaning' | 'signal' | 'onProgress'
>;

interface WrittenVectors {
  /** Without the place of the centroids. */
  readonly vectors: Omit<VectorsInfo, 'centroids'>;
  readonly centroids: Uint8Array;
  readonly set: ChunkSet;
}

export async function makeLists(
  store: RowStore,
  queries: SampleQueries,
  settings: VectorSettings,
  writer: IndexWriter,
  pause: () => Promise<void>,
): Promise<WrittenVectors> {
  const { dim } = settings;
  const rows = store.rows();
  const form = { dim: Math.min(centroidDim, dim), bits: centroidBits };
  const { centroids, members } = await groupRows(rows, settings, form);
  const nearest = await nearestRows(rows, queries, wantedRows, pause);
  const sample = { rows, queries: queries.vectors, nearest, dim, form, centroids, members };
  const read = await chooseReading(sample, settings, pause);
  const lists = centroids.map((): ListedRow[] => []);
  members.forEach((place, i) => {
    const vector = rows.subarray(i * dim, (i + 1) * dim);
    lists[place]?.push({ row: store.rowAt(i), ...encodeVector(vector, read.bits) });
  });
  const vectors = {
    dim,
    ...read,
    centroidForm: form,
    ...nearness(rows, queries, nearest),
  };
  const encoded = encodeCentroids(centroids);
  return {
    vectors,
    centroids: encoded,
    set: await writer.addChunks('vectors', lists.map(encodeList)),
  };
}

import type {
  ClusterJob,
  HeapRange,
  ListLookup,
  ListReader,
  MapJob,
  OutcomeText,
  VectorJob,
  VectorLists,
} from './types.mjs';

/** Where a part of a file lies. */
export type FilePart = readonly [offset: number, size: number];

/** The parts of a file that belong to a list. */
export interface ListedPart {
  readonly list: number;
  readonly rows: number;
  readonly codes: FilePart;
  readonly ids: FilePart;
}

/** Indexes of the caller's own vectors: made in memory, and read from files by range; and groups and maps of vectors. Vectors and
 *  queries are the bytes of little-endian f32, lists of counts those of u32. */
export interface VectorsBindings {
  /** An empty index of vectors of `dim` numbers, kept as bytes with a scale each, or as floats. */
  createLists(dim: number, asBytes: boolean): OutcomeText<VectorLists>;
  /** Says how many vectors there are then. */
  appendVectors(job: VectorJob, vectors: Uint8Array): OutcomeText<number>;
  /** Begins to make so many lists; as many as the number of vectors wants, if it is negative. */
  beginLists(index: VectorLists, lists: number, recall: number): OutcomeText<null>;
  /** The next step of the work; `progress` is in thousandths. */
  stepVectors(job: VectorJob): OutcomeText<{ done: boolean; progress: number }>;
  /** Without lists, `lists` and `probes` are 0. `share` is that of the rows in the lists that are read. */
  listsFacts(index: VectorLists): OutcomeText<{
    dim: number;
    size: number;
    lists: number;
    probes: number;
    candidates: number;
    recall: number;
    share: number;
    queries: number;
  }>;
  /** The highest cosine first. `marks` has a byte for each vector, or none; 0 leaves it out. 0 probes compare all. */
  searchLists(
    index: VectorLists,
    query: Uint8Array,
    marks: Uint8Array,
    k: number,
    probes: number,
    candidates: number,
  ): OutcomeText<{ position: number; score: number; row: number }[]>;
  /** u32 in the order of the file: the position of each row, and the first row of each list and the end of the last. */
  listsOrder(index: VectorLists): OutcomeText<{ positions: HeapRange; begins: HeapRange }>;
  /** The file but for its ids, in pieces, valid until the next call. Of the ids the sizes and checksums are given, for each
   *  list, or nothing. */
  saveLists(
    index: VectorLists,
    header: Uint8Array,
    idSizes: Uint8Array,
    idCrcs: Uint8Array,
  ): OutcomeText<HeapRange[]>;

  /** How many bytes the head of a file has, by its first 64. */
  listHeadSize(start: Uint8Array, fileSize: number): OutcomeText<number>;
  openLists(head: Uint8Array, fileSize: number): OutcomeText<ListReader>;
  /** Row i has its record of `recordSize` bytes at `rowsOffset` + i * `recordSize`. */
  listFileFacts(reader: ListReader): OutcomeText<{
    dim: number;
    size: number;
    int8: boolean;
    lists: number;
    rowsOffset: number;
    recordSize: number;
  }>;
  checkCodes(reader: ListReader, list: number, codes: Uint8Array): OutcomeText<null>;
  checkIds(reader: ListReader, list: number, ids: Uint8Array): OutcomeText<null>;

  beginLookup(
    reader: ListReader,
    query: Uint8Array,
    k: number,
    candidates: number,
  ): OutcomeText<ListLookup>;
  /** The lists from `first` on in the order in which they should be read. */
  lookupLists(lookup: ListLookup, first: number, count: number): OutcomeText<ListedPart[]>;
  /** Compares the rows of a list by their codes, which were checked. `marks` has a byte for each of them, or none. */
  scanList(
    lookup: ListLookup,
    list: number,
    codes: Uint8Array,
    marks: Uint8Array,
  ): OutcomeText<null>;
  /** The rows that should be scored, in ascending order. Once, after the scans. */
  lookupCandidates(lookup: ListLookup): OutcomeText<number[]>;
  /** Checks and scores rows that follow one another, from `row` on. */
  scoreRows(lookup: ListLookup, row: number, records: Uint8Array): OutcomeText<null>;
  /** The highest cosine first; `at` is the place in the list. Once. */
  lookupHits(
    lookup: ListLookup,
  ): OutcomeText<{ position: number; score: number; list: number; at: number }[]>;

  /** Groups vectors of `dim` numbers around `count` centroids. */
  beginClusters(dim: number, count: number): OutcomeText<ClusterJob>;
  /** f32 of the centroids, and u32: the centroid of each vector. */
  clusters(job: ClusterJob): OutcomeText<{ centroids: HeapRange; members: HeapRange }>;

  /** Places vectors of `dim` numbers on a plane. */
  beginMap(dim: number): OutcomeText<MapJob>;
}

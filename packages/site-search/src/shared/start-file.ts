// The start file: what every search needs of an index before it can look anything up.
import { ByteReader, ByteWriter } from './bytes.ts';
import { type ChunkKind, ChunkPlaces, type ChunkSet, chunkKinds, chunkUnit } from './chunks.ts';
import { limits } from './limits.ts';
import { encodePageTable, PageTable } from './page-table.ts';
import { decodeKeys, encodeKeys } from './word-shard.ts';

/** Where the chunks of a set are, and what they begin with. */
export interface SetTable {
  /** The length of each chunk as it is stored, in units. */
  readonly units: readonly number[];
  /** The first key of each chunk, if chunks are found by keys. */
  readonly keys: readonly string[];
}

type SetTables = Partial<Record<ChunkKind, SetTable>>;

/** `pages` has the number of parts of each page, `dictionary` what texts are packed with. Centroids are here if the manifest names no file of them. */
export function encodeStart(
  pages: readonly number[],
  sets: SetTables,
  dictionary: Uint8Array,
  centroids?: Uint8Array,
): Uint8Array {
  const writer = new ByteWriter();
  writeBlock(writer, encodePageTable(pages));
  writeBlock(writer, dictionary);
  for (const kind of chunkKinds) {
    const set = sets[kind];
    if (set) {
      writeBlock(writer, encodeKeys(set.keys));
      for (const length of set.units) {
        writer.integer(length);
      }
    }
  }
  if (centroids) {
    writeBlock(writer, centroids);
  }
  return writer.finish();
}

export interface OpenSet {
  readonly places: ChunkPlaces;
  readonly keys: readonly string[];
}

export interface StartFile {
  readonly table: PageTable;
  readonly sets: Partial<Record<ChunkKind, OpenSet>>;
  /** What texts are packed with. */
  readonly dictionary: Uint8Array;
  /** As they are stored. */
  readonly centroids: Uint8Array<ArrayBuffer>;
}

interface StartSizes {
  readonly pages: number;
  readonly parts: number;
  readonly sets: Partial<Record<ChunkKind, ChunkSet>>;
  readonly vectors?: { readonly centroids?: string };
}

/** Throws `Truncated` or `BadValue` if it does not fit the manifest. */
export function decodeStart(bytes: Uint8Array, sizes: StartSizes, path: string): StartFile {
  const reader = new ByteReader(bytes, path);
  // Each part takes a byte or more, so the file bounds the memory of the table.
  if (sizes.parts > bytes.length) {
    throw reader.bad('It does not fit the manifest.');
  }
  const table = new PageTable(readBlock(reader), sizes, path);
  const dictionary = readBlock(reader);
  const sets: Partial<Record<ChunkKind, OpenSet>> = {};
  for (const kind of chunkKinds) {
    const set = sizes.sets[kind];
    if (set) {
      sets[kind] = readSet(reader, set, path);
    }
  }
  const hasCentroids = sizes.vectors !== undefined && sizes.vectors.centroids === undefined;
  const centroids = new Uint8Array(hasCentroids ? readBlock(reader) : []);
  reader.expectEnd();
  return { table, sets, dictionary, centroids };
}

function readSet(reader: ByteReader, { chunks }: ChunkSet, path: string): OpenSet {
  const keys = decodeKeys(readBlock(reader), path);
  if (keys.length !== 0 && keys.length !== chunks) {
    throw reader.bad('The keys do not fit the manifest.');
  }
  const most = Math.ceil(limits.fileBytes / chunkUnit);
  const units: number[] = [];
  for (let i = 0; i < chunks; i++) {
    units.push(reader.integerUpTo(most));
  }
  return { places: new ChunkPlaces(units), keys };
}

function writeBlock(writer: ByteWriter, bytes: Uint8Array): void {
  writer.integer(bytes.length);
  writer.bytes(bytes);
}

const readBlock = (reader: ByteReader): Uint8Array => reader.bytes(reader.integer());

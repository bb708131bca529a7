// Divides the chunks of a set into packs and long files.
import { createHash } from 'node:crypto';
import {
  type ChunkKind,
  ChunkPlaces,
  type ChunkSet,
  chunkUnit,
  encodeChunk,
  storedLength,
} from '../../shared/chunks.ts';
import { fileName, filePath } from '../../shared/file-name.ts';
import type { SetTable } from '../../shared/start-file.ts';

/** Some hosts take no files above 25 MiB. */
const longBytes = 16 * 1024 * 1024;
interface PackSizes {
  /** Smaller packs would be more files, and save few bytes. */
  readonly least: number;
  /** Packs of a large site: a site of 10,000 pages has at most 1,500 files. */
  readonly most: Readonly<Record<ChunkKind, number>>;
}

/** Most readers get ranges, and few of them packs. */
const besideLong: PackSizes = {
  least: 2048,
  most: { words: 200, texts: 900, vectors: 100, related: 150 },
};
/** Packs are all that readers get, so they are smaller where the site is small. */
const alone: PackSizes = {
  least: 1024,
  most: { words: 200, texts: 700, vectors: 100, related: 350 },
};

interface SetOptions {
  /** The first key of each chunk, if chunks are found by keys. */
  readonly keys?: readonly string[];
  /** Whether there are long files. */
  readonly hasLong: boolean;
  /** Fewer packs than usual. */
  readonly mostFiles: number;
}

/** A set that is to be written. */
export interface SetFiles {
  readonly set: ChunkSet;
  readonly table: SetTable;
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** Undefined if the files would be more than `mostFiles`. */
export function filesOfSet(
  kind: ChunkKind,
  chunks: readonly Uint8Array[],
  { keys = [], hasLong, mostFiles }: SetOptions,
): SetFiles | undefined {
  const units = chunks.map(({ length }) => storedLength(length) / chunkUnit);
  const total = units.reduce((sum, length) => sum + length, 0) * chunkUnit;
  const places = new ChunkPlaces(units);
  const sizes = hasLong ? besideLong : alone;
  const longFiles = hasLong ? filesOf(places, longBytes).size : 0;
  const most = Math.min(sizes.most[kind], mostFiles - longFiles);
  if (most < 1) {
    return undefined;
  }
  const packBytes = Math.max(sizes.least, Math.ceil(total / most));
  const name = setName(chunks, packBytes);
  const stored = chunks.map((chunk, i) => encodeChunk(name, i, chunk));
  const files = (size: number, path: typeof filePath.pack) =>
    joined(stored, places, size).map(([file, bytes]) => ({ path: path(kind, name, file), bytes }));
  const long = hasLong ? files(longBytes, filePath.long) : [];
  const set = { name, chunks: chunks.length, packBytes, longBytes: hasLong ? longBytes : 0 };
  return { set, table: { units, keys }, files: [...files(packBytes, filePath.pack), ...long] };
}

/** Packs of another size have another name: the files of an index before may still be there, and caches have them for ever. */
function setName(chunks: readonly Uint8Array[], packBytes: number): string {
  const hash = createHash('sha256').update(`${packBytes} `);
  for (const chunk of chunks) {
    hash.update(`${chunk.length} `).update(chunk);
  }
  return fileName(hash.digest());
}

/** The chunks of each file of this size, by its number. */
function filesOf(places: ChunkPlaces, size: number): Map<number, number[]> {
  const files = new Map<number, number[]>();
  for (let i = 0; i < places.count; i++) {
    const { file } = places.in(i, size);
    const others = files.get(file) ?? [];
    files.set(file, others);
    others.push(i);
  }
  return files;
}

/** The files of this size with their numbers. */
function joined(
  stored: readonly Uint8Array[],
  places: ChunkPlaces,
  size: number,
): [file: number, bytes: Uint8Array][] {
  return [...filesOf(places, size)].map(([file, own]) => [
    file,
    Buffer.concat(own.map((i) => stored[i] as Uint8Array)),
  ]);
}

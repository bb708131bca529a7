// Divides the chunks of a set into packs and long files.
import { createHash } from 'node:crypto';
import {
  type ChunkKind,
  ChunkPlaces,
  type ChunkSet,
  chunkUnit,
  encodeChunk,
} from '../shared/chunks.ts';
import { fileName, filePath } from '../shared/file-name.ts';
import type { SetTable } from '../shared/start-file.ts';

/** Smaller packs would be more files, and save few bytes. */
const leastPackBytes = 2048;
/** Some hosts take no files above 25 MiB. */
const longBytes = 16 * 1024 * 1024;
/** Packs of a large site: a site of 10,000 pages has at most 1,500 files. */
const mostPacks: Readonly<Record<ChunkKind, number>> = {
  words: 200,
  texts: 900,
  vectors: 100,
  related: 150,
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
  const name = setName(chunks);
  const stored = chunks.map((chunk, i) => encodeChunk(name, i, chunk));
  const units = stored.map(({ length }) => length / chunkUnit);
  const total = stored.reduce((sum, { length }) => sum + length, 0);
  const places = new ChunkPlaces(units);
  const files = (size: number, path: typeof filePath.pack) =>
    joined(stored, places, size).map(([file, bytes]) => ({ path: path(kind, name, file), bytes }));
  const long = hasLong ? files(longBytes, filePath.long) : [];
  const most = Math.min(mostPacks[kind], mostFiles - long.length);
  if (most < 1) {
    return undefined;
  }
  const packBytes = Math.max(leastPackBytes, Math.ceil(total / most));
  const set = { name, chunks: chunks.length, packBytes, longBytes: hasLong ? longBytes : 0 };
  return { set, table: { units, keys }, files: [...files(packBytes, filePath.pack), ...long] };
}

function setName(chunks: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const chunk of chunks) {
    hash.update(`${chunk.length} `).update(chunk);
  }
  return fileName(hash.digest());
}

/** The files of this size with their numbers. */
function joined(
  stored: readonly Uint8Array[],
  places: ChunkPlaces,
  size: number,
): [file: number, bytes: Uint8Array][] {
  const files = new Map<number, Uint8Array[]>();
  stored.forEach((chunk, i) => {
    const { file } = places.in(i, size);
    const others = files.get(file) ?? [];
    files.set(file, others);
    others.push(chunk);
  });
  return [...files].map(([file, parts]) => [file, Buffer.concat(parts)]);
}

// The pieces of an index that a search looks up: shards of words, texts, lists of vectors. The chunks of a kind are a set. They lie
// one after another, and are stored twice: in packs, which are small and fetched whole, and in long files, of which hosts that
// answer range requests send only the chunks that are asked for.
import { AmbryError } from 'ambry/terms';
import { ByteReader, ByteWriter } from './bytes.ts';
import { nameDigest } from './file-name.ts';

export const chunkKinds = ['words', 'texts', 'vectors', 'related'] as const;
export type ChunkKind = (typeof chunkKinds)[number];

/** A set as the manifest states it. */
export interface ChunkSet {
  /** The hash of all chunks. */
  readonly name: string;
  readonly chunks: number;
  /** A chunk lies in the pack of this number: its place divided by these bytes. */
  readonly packBytes: number;
  /** The bytes of a long file; 0 if the set has none. */
  readonly longBytes: number;
}

/** Chunks end at multiples of so many bytes, so that their lengths take less than a byte each in the start file. */
export const chunkUnit = 64;
const markBytes = 4;

/** A place in a file: `[from, to)`. */
export interface ChunkPlace {
  readonly file: number;
  readonly from: number;
  readonly to: number;
}

/** Where the chunks of a set are. */
export class ChunkPlaces {
  /** The place of each chunk in the set, and the end of the last one. */
  readonly #starts: Float64Array;

  /** Lengths are in units. */
  constructor(units: readonly number[]) {
    this.#starts = new Float64Array(units.length + 1);
    units.forEach((length, i) => {
      this.#starts[i + 1] = this.#start(i) + length * chunkUnit;
    });
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  /** In files that begin with the first chunk at or after each multiple of `fileBytes`. */
  in(i: number, fileBytes: number): ChunkPlace {
    const file = Math.floor(this.#start(i) / fileBytes);
    const begin = this.#start(this.#firstFrom(file * fileBytes));
    return { file, from: this.#start(i) - begin, to: this.#start(i + 1) - begin };
  }

  #start(i: number): number {
    return this.#starts[i] as number;
  }

  /** The first chunk that begins at this byte or after it. */
  #firstFrom(byte: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#start(middle) < byte) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** The bytes of a chunk as it is stored. */
export function storedLength(bytes: number): number {
  const writer = new ByteWriter();
  writer.integer(bytes);
  return Math.ceil((markBytes + writer.length + bytes) / chunkUnit) * chunkUnit;
}

/** A chunk as it is stored: a mark of its set and its number, its length, its bytes, and zeros up to the next unit. */
export function encodeChunk(set: string, i: number, bytes: Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  writer.bytes(markOf(set, i));
  writer.integer(bytes.length);
  const begin = writer.finish();
  const stored = new Uint8Array(storedLength(bytes.length));
  stored.set(begin);
  stored.set(bytes, begin.length);
  return stored;
}

/** Throws `BadValue` if the bytes are no chunk, or another one. */
export function decodeChunk(
  set: string,
  i: number,
  stored: Uint8Array<ArrayBuffer>,
  path: string,
): Uint8Array<ArrayBuffer> {
  const reader = new ByteReader(stored, path);
  const mark = reader.bytes(Math.min(markBytes, stored.length));
  if (!markOf(set, i).every((byte, at) => byte === mark[at])) {
    throw new AmbryError('BadValue', `${path} has another chunk at ${i}.`, { path });
  }
  const length = reader.integerUpTo(stored.length);
  const { byteOffset } = reader.bytes(length);
  const from = byteOffset - stored.byteOffset;
  return stored.subarray(from, from + length);
}

function markOf(set: string, i: number): Uint8Array {
  const mark = markOfSet(set).slice();
  for (let at = 0; at < markBytes; at++) {
    mark[at] = (mark[at] as number) ^ ((i >>> (8 * at)) & 0xff);
  }
  return mark;
}

/** The mark of the last set: many chunks have one set. */
let last = { set: '', mark: new Uint8Array(markBytes) };

function markOfSet(set: string): Uint8Array {
  if (last.set !== set) {
    last = { set, mark: nameDigest(set).slice(0, markBytes) };
  }
  return last.mark;
}

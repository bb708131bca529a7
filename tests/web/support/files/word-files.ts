// Small files of word vectors (finalfusion), made field by field: core/formats/finalfusion/README.md.
import type { Content } from '../servers/byte-server.ts';
import { Fields, SparseFile } from './sparse-files.ts';

export interface MadeWords {
  readonly words: readonly string[];
  /** Numbers of a row. */
  readonly dim: number;
  /** The rows of words, then of pieces. */
  readonly row: (i: number) => readonly number[];
  readonly norms?: readonly number[];
  /** Chunk 3 with 2 to this many buckets, n-grams of 3 to 6; words alone when absent. */
  readonly exponent?: number;
  readonly metadata?: string;
}

const simple = 1;
const testArray = 2;
const bucket = 3;
const testMetadata = 5;
const testNorms = 6;
const f32 = 10;

function header(ids: readonly number[]): Uint8Array {
  const fields = new Fields().text('FiFu').u32(0).u32(ids.length);
  for (const id of ids) {
    fields.u32(id);
  }
  return fields.done();
}

function chunk(id: number, content: Fields, more = 0): Uint8Array {
  const bytes = content.done();
  return new Fields()
    .u32(id)
    .u64(bytes.length + more)
    .raw(bytes)
    .done();
}

function vocabulary({ words, exponent }: Pick<MadeWords, 'words' | 'exponent'>): Uint8Array {
  const fields = new Fields().u64(words.length);
  if (exponent !== undefined) {
    fields.u32(3).u32(6).u32(exponent);
  }
  const encoder = new TextEncoder();
  const parts = words.map((word) => {
    const text = encoder.encode(word);
    const bytes = new Uint8Array(4 + text.length);
    new DataView(bytes.buffer).setUint32(0, text.length, true);
    bytes.set(text, 4);
    return bytes;
  });
  fields.raw(new Uint8Array(Buffer.concat(parts)));
  return chunk(exponent === undefined ? simple : bucket, fields);
}

/** One to four zeros after the head of an array that begins at `at`. */
function arrayHead(id: number, at: number, counts: Fields, bytes: number): Uint8Array {
  const fields = counts.u32(f32);
  const end = at + 12 + fields.size;
  return chunk(id, fields.raw(new Uint8Array(4 - (end % 4))), bytes);
}

export function wordFile(made: MadeWords): Uint8Array<ArrayBuffer> {
  const { words, dim, row, norms, exponent, metadata } = made;
  const n = words.length + (exponent === undefined ? 0 : 2 ** exponent);
  const ids = [exponent === undefined ? simple : bucket, testArray];
  if (metadata !== undefined) {
    ids.unshift(testMetadata);
  }
  if (norms) {
    ids.push(testNorms);
  }
  const file = new Fields().raw(header(ids));
  if (metadata !== undefined) {
    file.raw(chunk(testMetadata, new Fields().text(metadata)));
  }
  file.raw(vocabulary(made));
  file.raw(arrayHead(testArray, file.size, new Fields().u64(n).u32(dim), n * dim * 4));
  for (let i = 0; i < n; i++) {
    file.raw(new Uint8Array(Float32Array.from(row(i)).buffer));
  }
  if (norms) {
    file.raw(arrayHead(testNorms, file.size, new Fields().u64(norms.length), norms.length * 4));
    file.raw(new Uint8Array(Float32Array.from(norms).buffer));
  }
  return new Uint8Array(file.done());
}

/** Words `w0`, `w1`, … in a file of `n × dim × 4` bytes and a few more: the row of word i is 1 at i mod dim,
 *  made when it is asked for, and its norm is 2. `rowsAt` is where the rows begin. */
export function sparseWords(n: number, dim: number): Content & { readonly rowsAt: number } {
  const words = Array.from({ length: n }, (_, i) => `w${i}`);
  const rowBytes = dim * 4;
  const file = new SparseFile();
  file.add(header([simple, testArray, testNorms]));
  file.add(vocabulary({ words }));
  file.add(arrayHead(testArray, file.size, new Fields().u64(n).u32(dim), n * rowBytes));
  const rowsAt = file.size;
  file.skip(n * rowBytes);
  file.add(arrayHead(testNorms, file.size, new Fields().u64(n), n * 4));
  file.add(new Uint8Array(new Float32Array(n).fill(2).buffer));
  const one = new Uint8Array(Float32Array.of(1).buffer);
  const slice = (begin: number, end: number) => {
    const bytes = file.slice(begin, end);
    const first = Math.max(0, Math.floor((begin - rowsAt) / rowBytes));
    const last = Math.min(n - 1, Math.floor((end - 1 - rowsAt) / rowBytes));
    for (let i = first; i <= last; i++) {
      const at = rowsAt + i * rowBytes + (i % dim) * 4 - begin;
      one.forEach((byte, j) => {
        if (at + j >= 0 && at + j < bytes.length) {
          bytes[at + j] = byte;
        }
      });
    }
    return bytes;
  };
  return { size: file.size, rowsAt, slice };
}

/** Numbers in [-1, 1) of a fixed sequence. */
export function madeUpNumbers(count: number, seed = 1): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state >>> 8) - 2 ** 23) / 2 ** 23;
  });
}

/** Rows of length 1 out of such numbers. */
export function unitRow(i: number, dim: number): number[] {
  const numbers = madeUpNumbers(dim, i + 1);
  const norm = Math.hypot(...numbers);
  return numbers.map((x) => x / norm);
}

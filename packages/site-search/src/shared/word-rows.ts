// The vectors of words. A static encoder adds the vectors of a text's words, so with them a reader's query gets its vector
// without the model. Of each number only the sign is kept, and one size for all numbers of a word: a search by words and
// meaning finds as much with it as with the model.
import { ByteReader, ByteWriter } from './bytes.ts';

/** A longer word is no word of a language. */
export const mostWordLetters = 32;
/** Sizes are kept in so many steps for each power of two, and 255 is the largest of an index. */
const stepsOfPower = 16;
const mostStep = 255;

export interface WordRow {
  readonly word: string;
  /** The mean of the numbers without their signs, as a step. */
  readonly step: number;
  /** A bit for each number, the first in the lowest bit: whether it is above 0. */
  readonly signs: Uint8Array;
}

export function meanSize(vector: Float32Array): number {
  return vector.reduce((sum, value) => sum + Math.abs(value), 0) / vector.length;
}

/** Undefined for a vector that is too short to count beside the one of size `most`. */
export function wordRow(word: string, vector: Float32Array, most: number): WordRow | undefined {
  const step = Math.round(mostStep + stepsOfPower * Math.log2(meanSize(vector) / most));
  if (!(step > 0)) {
    return undefined;
  }
  const signs = new Uint8Array(Math.ceil(vector.length / 8));
  vector.forEach((value, i) => {
    signs[i >> 3] = (signs[i >> 3] as number) | (Number(value > 0) << (i & 7));
  });
  return { word, step, signs };
}

/** The size of a row, as a share of the largest one. */
export const sizeOf = ({ step }: WordRow): number => 2 ** ((step - mostStep) / stepsOfPower);

/** Adds the vector of a row. */
export function addRow(sum: Float32Array, row: WordRow): void {
  const size = sizeOf(row);
  for (let i = 0; i < sum.length; i++) {
    const isAbove = ((row.signs[i >> 3] as number) >> (i & 7)) & 1;
    sum[i] = (sum[i] as number) + (isAbove ? size : -size);
  }
}

/** The rows are in the order of their words. Letters that a word shares with the one before are not stored again. */
export function encodeWordRows(rows: readonly WordRow[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  const encoder = new TextEncoder();
  writer.integer(rows.length);
  let before: Uint8Array = new Uint8Array();
  for (const { word, step, signs } of rows) {
    const letters = encoder.encode(word);
    const end = letters.findIndex((letter, i) => letter !== before[i]);
    const shared = end < 0 ? letters.length : end;
    writer.integer(shared);
    writer.integer(letters.length - shared);
    writer.bytes(letters.subarray(shared));
    writer.byte(step);
    writer.bytes(signs);
    before = letters;
  }
  return writer.finish();
}

export function decodeWordRows(bytes: Uint8Array, dim: number, path: string): WordRow[] {
  const reader = new ByteReader(bytes, path);
  const decoder = new TextDecoder();
  const count = reader.integerUpTo(bytes.length);
  const rows: WordRow[] = [];
  let before: Uint8Array = new Uint8Array();
  for (let i = 0; i < count; i++) {
    const shared = before.subarray(0, reader.integerUpTo(before.length));
    const letters = Uint8Array.from([...shared, ...reader.bytes(reader.integerUpTo(bytes.length))]);
    const [step, signs] = [reader.byte(), reader.bytes(Math.ceil(dim / 8))];
    rows.push({ word: decoder.decode(letters), step, signs });
    before = letters;
  }
  reader.expectEnd();
  return rows;
}

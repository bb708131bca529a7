// Rows of vectors by the list that they are in, and the centroids that say which lists are near to a query.
import { ByteReader, ByteWriter } from './bytes.ts';
import { type CodeBits, type CodedProduct, type CodedVector, codeBytes } from './codes.ts';

export interface VectorForm {
  readonly dim: number;
  readonly bits: CodeBits;
}

export interface ListedRow extends CodedVector {
  /** The number of the part. */
  readonly row: number;
}

/** A list as it is read: the codes of row `i` begin at `i * codeBytes`. */
export interface RowList {
  readonly rows: readonly number[];
  readonly factors: Uint8Array;
  readonly codes: Uint8Array;
}

/** The rows are in their order. */
export function encodeList(rows: readonly ListedRow[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writer.integer(rows.length);
  let next = 0;
  for (const { row } of rows) {
    writer.integer(row - next);
    next = row + 1;
  }
  for (const { factor } of rows) {
    writer.byte(factor);
  }
  for (const { codes } of rows) {
    writer.bytes(codes);
  }
  return writer.finish();
}

export function decodeList(
  bytes: Uint8Array,
  { dim, bits }: VectorForm,
  rowCount: number,
  path: string,
): RowList {
  const reader = new ByteReader(bytes, path);
  const count = reader.integerUpTo(rowCount);
  const rows: number[] = [];
  let next = 0;
  for (let i = 0; i < count; i++) {
    const row = next + reader.integerUpTo(rowCount - 1 - next);
    rows.push(row);
    next = row + 1;
  }
  const factors = reader.bytes(count);
  const codes = reader.bytes(count * codeBytes(dim, bits));
  reader.expectEnd();
  return { rows, factors, codes };
}

/** The centre of a list. The centroids are in the order of the lists. */
export interface Centroid extends CodedVector {
  /** The number of rows in its list. */
  readonly size: number;
}

export function encodeCentroids(centroids: readonly Centroid[]): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writer.integer(centroids.length);
  for (const { size, factor, codes } of centroids) {
    writer.integer(size);
    writer.byte(factor);
    writer.bytes(codes);
  }
  return writer.finish();
}

export function decodeCentroids(
  bytes: Uint8Array,
  { dim, bits }: VectorForm,
  path: string,
): Centroid[] {
  const reader = new ByteReader(bytes, path);
  const count = reader.integerUpTo(bytes.length);
  const centroids: Centroid[] = [];
  for (let i = 0; i < count; i++) {
    const size = reader.integer();
    const factor = reader.byte();
    centroids.push({ size, factor, codes: reader.bytes(codeBytes(dim, bits)) });
  }
  reader.expectEnd();
  return centroids;
}

/** The places of the centroids, the nearest first. */
export function nearestFirst(centroids: readonly Centroid[], product: CodedProduct): number[] {
  const scores = centroids.map(({ codes, factor }) => product.of(codes, 0, factor));
  return [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number));
}

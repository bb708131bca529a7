// Reads and writes NumPy files of one array, version 1.0: magic, header length, a Python dictionary, then the data.
import { UsageError } from './failure.ts';
import { readBytes } from './input.ts';

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const version = [1, 0];
/** The magic, the version and the header length come before the dictionary. */
const prefixBytes = 10;
const alignment = 64;

/** Writes rows of one length as a two-dimensional array of little-endian f32. */
export function npyFile(rows: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const dim = rows[0]?.length ?? 0;
  const dictionary = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows.length}, ${dim}), }`;
  const unpadded = prefixBytes + dictionary.length + 1;
  const dataOffset = Math.ceil(unpadded / alignment) * alignment;
  const header = `${dictionary}${' '.repeat(dataOffset - unpadded)}\n`;
  const file = new Uint8Array(dataOffset + rows.length * dim * 4);
  const view = new DataView(file.buffer);
  file.set([...magic, ...version]);
  view.setUint16(8, header.length, true);
  file.set(new TextEncoder().encode(header), prefixBytes);
  let at = dataOffset;
  for (const row of rows) {
    for (const value of row) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  }
  return file;
}

/** Values of a file. One of raw values has no shape. */
export interface FloatArray {
  readonly path: string;
  readonly values: Float32Array;
  readonly shape?: readonly number[];
}

/** Reads an .npy file, or a file of raw little-endian f32. */
export async function readFloats(path: string): Promise<FloatArray> {
  return parseFloats(path, await readBytes(path));
}

export function parseFloats(path: string, file: Buffer): FloatArray {
  const isNpy = magic.every((byte, i) => file[i] === byte);
  const { data, shape } = isNpy ? npyData(path, file) : { data: file };
  if (data.length % 4 !== 0) {
    throw new UsageError(
      `${path} is not a file of float32 values: its size is not a multiple of 4.`,
    );
  }
  const values = new Float32Array(Uint8Array.from(data).buffer);
  const size = shape?.reduce((product, length) => product * length, 1) ?? values.length;
  if (size !== values.length) {
    const message = `${path} has ${values.length} values, but its header promises ${size}: ${shapeText(shape)}.`;
    throw new UsageError(message);
  }
  return { path, values, ...(shape && { shape }) };
}

/** As NumPy writes it. */
export const shapeText = (shape: readonly number[] = []) =>
  `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;

interface NpyData {
  readonly data: Uint8Array;
  readonly shape: readonly number[];
}

function npyData(path: string, file: Buffer): NpyData {
  if (file.length < prefixBytes || version.some((part, i) => file[magic.length + i] !== part)) {
    throw new UsageError(`${path} is not an .npy file of version 1.0.`);
  }
  const dataOffset = prefixBytes + file.readUInt16LE(8);
  const dictionary = file.toString('latin1', prefixBytes, dataOffset);
  const shape = /'shape': \(((?:\d+, ?)*\d*)\)/.exec(dictionary)?.[1];
  const isRead = dictionary.includes("'<f4'") && dictionary.includes("'fortran_order': False");
  if (isRead && shape !== undefined) {
    const lengths = shape.split(',').filter((length) => length.trim() !== '');
    return { data: file.subarray(dataOffset), shape: lengths.map(Number) };
  }
  const message = `${path} must hold little-endian float32 in row order, not ${dictionary.trim()}.`;
  throw new UsageError(message);
}

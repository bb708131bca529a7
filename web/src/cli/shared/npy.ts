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

/** Reads the values of an .npy file, or of a file of raw little-endian f32. */
export async function readFloats(path: string): Promise<Float32Array> {
  return parseFloats(path, await readBytes(path));
}

export function parseFloats(path: string, file: Buffer): Float32Array {
  const isNpy = magic.every((byte, i) => file[i] === byte);
  const data = isNpy ? npyData(path, file) : file;
  if (data.length % 4 !== 0) {
    throw new UsageError(
      `${path} is not a file of float32 values: its size is not a multiple of 4.`,
    );
  }
  return new Float32Array(Uint8Array.from(data).buffer);
}

function npyData(path: string, file: Buffer): Uint8Array {
  if (file.length < prefixBytes || version.some((part, i) => file[magic.length + i] !== part)) {
    throw new UsageError(`${path} is not an .npy file of version 1.0.`);
  }
  const dataOffset = prefixBytes + file.readUInt16LE(8);
  const dictionary = file.toString('latin1', prefixBytes, dataOffset);
  if (dictionary.includes("'<f4'") && dictionary.includes("'fortran_order': False")) {
    return file.subarray(dataOffset);
  }
  const message = `${path} must hold little-endian float32 in row order, not ${dictionary.trim()}.`;
  throw new UsageError(message);
}

// NumPy's file of one array, version 1.0: magic, header length, a Python dictionary, then the data.
import { UsageError } from './failure.ts';
import { readBytes } from './input.ts';

const kMagic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const kVersion = [1, 0];
/** Before the dictionary: magic, version and its length. */
const kHeadBytes = 10;
const kAlignment = 64;

/** Rows of one length as a two-dimensional array of little-endian f32. */
export function npyFile(rows: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const dim = rows[0]?.length ?? 0;
  const facts = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows.length}, ${dim}), }`;
  const head = kHeadBytes + facts.length + 1;
  const padded = Math.ceil(head / kAlignment) * kAlignment;
  const header = `${facts}${' '.repeat(padded - head)}\n`;
  const file = new Uint8Array(padded + rows.length * dim * 4);
  const view = new DataView(file.buffer);
  file.set([...kMagic, ...kVersion]);
  view.setUint16(8, header.length, true);
  file.set(new TextEncoder().encode(header), kHeadBytes);
  let at = padded;
  for (const row of rows) {
    for (const value of row) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  }
  return file;
}

/** The numbers of an .npy file of little-endian f32 in rows, or of a file of nothing but such numbers. */
export async function readFloats(path: string): Promise<Float32Array> {
  return floatsIn(path, await readBytes(path));
}

/** The same of its bytes. */
export function floatsIn(path: string, file: Buffer): Float32Array {
  const isNpy = kMagic.every((byte, i) => file[i] === byte);
  const data = isNpy ? npyData(path, file) : file;
  if (data.length % 4 !== 0) throw new UsageError(`${path} is no file of float32 numbers`);
  return new Float32Array(Uint8Array.from(data).buffer);
}

function npyData(path: string, file: Buffer): Uint8Array {
  if (file.length < kHeadBytes || kVersion.some((part, i) => file[kMagic.length + i] !== part)) {
    throw new UsageError(`${path} is no .npy file of version 1.0`);
  }
  const begin = kHeadBytes + file.readUInt16LE(8);
  const facts = file.toString('latin1', kHeadBytes, begin);
  if (facts.includes("'<f4'") && facts.includes("'fortran_order': False")) {
    return file.subarray(begin);
  }
  throw new UsageError(`${path} must hold little-endian float32 in rows, not ${facts.trim()}`);
}

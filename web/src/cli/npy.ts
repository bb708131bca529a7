// NumPy's file of one array, version 1.0: magic, header length, a Python dictionary, then the data.
import { readFile } from 'node:fs/promises';
import { UsageError } from './failure.ts';
import { readable } from './input.ts';

const kMagic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];
const kAlignment = 64;

/** Rows of one length as a two-dimensional array of little-endian f32. */
export function npyFile(rows: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const dim = rows[0]?.length ?? 0;
  const facts = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows.length}, ${dim}), }`;
  const head = 10 + facts.length + 1;
  const padded = Math.ceil(head / kAlignment) * kAlignment;
  const header = `${facts}${' '.repeat(padded - head)}\n`;
  const file = new Uint8Array(padded + rows.length * dim * 4);
  const view = new DataView(file.buffer);
  file.set(kMagic);
  view.setUint16(8, header.length, true);
  file.set(new TextEncoder().encode(header), 10);
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
  await readable(path);
  return floatsIn(path, await readFile(path));
}

/** The same of its bytes. */
export function floatsIn(path: string, file: Buffer): Float32Array {
  const isNpy = kMagic.every((byte, i) => file[i] === byte);
  const data = isNpy ? npyData(path, file) : file;
  if (data.length % 4 !== 0) throw new UsageError(`${path} is no file of float32 numbers`);
  return new Float32Array(Uint8Array.from(data).buffer);
}

function npyData(path: string, file: Buffer): Uint8Array {
  const begin = 10 + file.readUInt16LE(8);
  const facts = file.toString('latin1', 10, begin);
  if (facts.includes("'<f4'") && facts.includes("'fortran_order': False")) {
    return file.subarray(begin);
  }
  throw new UsageError(`${path} must hold little-endian float32 in rows, not ${facts.trim()}`);
}

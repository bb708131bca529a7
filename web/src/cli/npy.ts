// NumPy's file of one array, version 1.0: magic, header length, a Python dictionary, then the data.

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
  file.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
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

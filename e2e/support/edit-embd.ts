// Changes a field of an EMBD F0 file and updates its checksums.

import { crc32 } from 'node:zlib';

const footerBytes = 16;

/** Sets the reserved word of the header. A lenient reader accepts this, a strict one does not. */
export function withReservedWord(file: Buffer): Buffer {
  const changed = Buffer.from(file);
  changed.writeUInt32LE(7, 60);
  const footer = changed.length - footerBytes;
  changed.writeUInt32LE(crc32(changed.subarray(0, footer)), footer + 4);
  return changed;
}

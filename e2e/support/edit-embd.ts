// EMBD F0 files with one thing changed and the checksums made right again.

import { crc32 } from 'node:zlib';

const kFooterBytes = 16;

/** Sets the reserved word of the header, which a reader tolerates and a writer must not do. */
export function withReservedWord(file: Buffer): Buffer {
  const changed = Buffer.from(file);
  changed.writeUInt32LE(7, 60);
  const footer = changed.length - kFooterBytes;
  changed.writeUInt32LE(crc32(changed.subarray(0, footer)), footer + 4);
  return changed;
}

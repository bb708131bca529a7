// Index files (core/search/README.md) with another header: what they hold beside their rows.
import { crc32, inflateSync } from 'node:zlib';

const testHeaderAt = 64;

export const headerOf = (file: Uint8Array): object => {
  const size = Number(new DataView(file.buffer).getBigUint64(24, true));
  return JSON.parse(
    inflateSync(file.subarray(testHeaderAt, testHeaderAt + size)).toString(),
  ) as object;
};

/** The file with other bytes beside its rows, in either version (core/search/README.md). */
export function withHeader(
  file: Uint8Array,
  header: Uint8Array,
  headerAt = testHeaderAt,
): Uint8Array<ArrayBuffer> {
  const view = new DataView(file.buffer);
  const dataAt = Number(view.getBigUint64(32, true));
  const begin = Math.ceil((headerAt + header.length) / 64) * 64;
  const made = Buffer.alloc(begin + file.length - dataAt);
  made.set(file.subarray(0, headerAt));
  made.writeUInt32LE(headerAt === testHeaderAt ? 2 : 1, 8);
  made.writeBigUInt64LE(BigInt(header.length), 24);
  made.writeBigUInt64LE(BigInt(begin), 32);
  made.writeBigUInt64LE(BigInt(made.length), 40);
  made.set(header, headerAt);
  made.set(file.subarray(dataAt), begin);
  made.writeUInt32LE(crc32(made.subarray(0, -4)), made.length - 4);
  return new Uint8Array(made);
}

/** The file with the checksum of its bytes. */
export function withChecksum(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (file.length >= 4) {
    const end = file.length - 4;
    new DataView(file.buffer).setUint32(end, crc32(file.subarray(0, end)), true);
  }
  return file;
}

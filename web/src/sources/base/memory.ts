// Bytes in memory as a source.
import type { ByteSource } from './byte-source.ts';

const chunkBytes = 1 << 20;

export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.byteLength,
    phase: 'load',
    seekable: true,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    stream: async function* (begin, end) {
      for (let at = begin; at < end; at += chunkBytes) {
        yield bytes.subarray(at, Math.min(at + chunkBytes, end));
      }
    },
    measure: async () => bytes.byteLength,
    close: async () => {},
  };
}

// Bytes that are in memory already.
import type { ByteSource } from './byte-source.ts';

const kChunkBytes = 1 << 20;

export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.byteLength,
    phase: 'load',
    seekable: true,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    stream: async function* (begin, end) {
      for (let at = begin; at < end; at += kChunkBytes) {
        yield bytes.subarray(at, Math.min(at + kChunkBytes, end));
      }
    },
    measure: async () => bytes.byteLength,
    close: async () => {},
  };
}

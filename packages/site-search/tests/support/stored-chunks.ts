// Reads the chunks of a set from its long files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChunkKind, type ChunkSet, chunkUnit, decodeChunk } from '../../src/shared/chunks.ts';
import { filePath } from '../../src/shared/file-name.ts';

export function storedChunks(
  folder: string,
  kind: ChunkKind,
  { name, chunks }: ChunkSet,
): Uint8Array<ArrayBuffer>[] {
  const file = new Uint8Array(readFileSync(join(folder, filePath.long(kind, name, 0))));
  const found: Uint8Array<ArrayBuffer>[] = [];
  for (let i = 0, at = 0; i < chunks; i++) {
    const chunk = decodeChunk(name, i, file.subarray(at), 'f');
    found.push(chunk);
    // A mark and the length stand before the bytes.
    const end = chunk.byteOffset - file.byteOffset + chunk.length;
    at = Math.ceil(end / chunkUnit) * chunkUnit;
  }
  return found;
}

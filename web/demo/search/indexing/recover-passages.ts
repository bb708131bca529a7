// Reads the passages of an index file that does not load. Its vectors may be damaged, or of another model.

import type { Doc } from 'ambry';

// core/search/README.md has the layout.
const magic = 'AMBRYIDX';
const versionOffset = 8;
const headerSizeOffset = 24;
const headerOffsets: Readonly<Record<number, number>> = { 1: 48, 2: 64 };

async function headerOf(file: Blob): Promise<string | null> {
  const head = new DataView(await file.slice(0, 64).arrayBuffer());
  if (head.byteLength < 64 || (await file.slice(0, 8).text()) !== magic) {
    return null;
  }
  const version = head.getUint32(versionOffset, true);
  const begin = headerOffsets[version];
  const size = Number(head.getBigUint64(headerSizeOffset, true));
  if (begin === undefined || begin + size > file.size) {
    return null;
  }
  const header = file.slice(begin, begin + size);
  if (version === 1) {
    return header.text();
  }
  // Decompression checks the checksum.
  return new Response(header.stream().pipeThrough(new DecompressionStream('deflate'))).text();
}

/** Null if the file has no passages, or if they are damaged. */
export async function recoverPassages(file: Blob): Promise<readonly Doc[] | null> {
  try {
    const { docs } = JSON.parse((await headerOf(file)) ?? '{}') as { readonly docs?: unknown };
    const isWhole =
      Array.isArray(docs) && docs.length > 0 && docs.every((doc) => typeof doc?.text === 'string');
    return isWhole ? docs : null;
  } catch {
    return null;
  }
}

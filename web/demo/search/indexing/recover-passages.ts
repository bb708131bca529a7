// The passages in an index file that does not load: its vectors may be damaged, or another model's.

import type { Doc } from 'ambry';

// core/search/README.md has the layout.
const kMagic = 'AMBRYIDX';
const kVersionAt = 8;
const kHeaderSizeAt = 24;
const kHeaderAt: Readonly<Record<number, number>> = { 1: 48, 2: 64 };

async function headerOf(file: Blob): Promise<string | null> {
  const head = new DataView(await file.slice(0, 64).arrayBuffer());
  if (head.byteLength < 64 || (await file.slice(0, 8).text()) !== kMagic) {
    return null;
  }
  const version = head.getUint32(kVersionAt, true);
  const begin = kHeaderAt[version];
  const size = Number(head.getBigUint64(kHeaderSizeAt, true));
  if (begin === undefined || begin + size > file.size) {
    return null;
  }
  const header = file.slice(begin, begin + size);
  if (version === 1) {
    return header.text();
  }
  // The deflated header has a checksum of its own.
  return new Response(header.stream().pipeThrough(new DecompressionStream('deflate'))).text();
}

/** Null where there are none, or where they are damaged themselves. */
export async function passagesIn(file: Blob): Promise<readonly Doc[] | null> {
  try {
    const { docs } = JSON.parse((await headerOf(file)) ?? '{}') as { readonly docs?: unknown };
    const isWhole =
      Array.isArray(docs) && docs.length > 0 && docs.every((doc) => typeof doc?.text === 'string');
    return isWhole ? docs : null;
  } catch {
    return null;
  }
}

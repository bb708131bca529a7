// Reads some bytes of a source, to show them.

import type { CheckSource } from '../../shared/files/given-sources.ts';

/** The parts of a split model follow one another by their names. */
function wholeOf(source: File | Map<string, File>): Blob {
  if (!(source instanceof Map)) {
    return source;
  }
  return new Blob([...source].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file));
}

/** Null if the server does not send ranges, or if the file cannot be read any more. */
export async function readBytes(
  source: CheckSource,
  offset: number,
  length: number,
): Promise<Uint8Array | null> {
  try {
    if (typeof source !== 'string') {
      const part = wholeOf(source).slice(offset, offset + length);
      return new Uint8Array(await part.arrayBuffer());
    }
    const range = `bytes=${offset}-${offset + length - 1}`;
    const response = await fetch(source, { headers: { range } });
    if (response.status === 206) {
      return new Uint8Array(await response.arrayBuffer());
    }
    await response.body?.cancel();
  } catch {
    // The page shows what it knows without the bytes.
  }
  return null;
}

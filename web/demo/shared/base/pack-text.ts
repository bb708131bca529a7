// Packs a text into few characters that an address can hold, and unpacks it.

import { chunksOf, textAtMost } from './stream-text.ts';

export async function packText(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  let bytes = '';
  for await (const chunk of chunksOf(stream)) {
    for (const byte of chunk) {
      bytes += String.fromCharCode(byte);
    }
  }
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Null for a text that nobody has packed, and for one that takes more than `maxBytes`. */
export async function unpackText(packed: string, maxBytes: number): Promise<string | null> {
  try {
    const bytes = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const blob = new Blob([Uint8Array.from(bytes, (character) => character.charCodeAt(0))]);
    const stream = blob.stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return await textAtMost(stream, maxBytes, new TextDecoder('utf-8', { fatal: true }));
  } catch {
    return null;
  }
}

// Packs a text into few characters that an address can hold, and unpacks it.

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

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

/** Null for a text that nobody has packed, and for one that becomes longer than `maxLength`. */
export async function unpackText(packed: string, maxLength: number): Promise<string | null> {
  try {
    const bytes = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const blob = new Blob([Uint8Array.from(bytes, (character) => character.charCodeAt(0))]);
    const stream = blob.stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    for await (const chunk of chunksOf(stream)) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > maxLength) {
        return null;
      }
    }
    return text + decoder.decode();
  } catch {
    return null;
  }
}

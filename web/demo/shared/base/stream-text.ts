// Reads streams in pieces, and gives up those that are too long.

/** Cancels the stream where the reader stops early. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
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

/** The text in UTF-8; null for more than `maxBytes`. Rejects where the stream fails. */
export async function textAtMost(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  decoder: TextDecoder,
): Promise<string | null> {
  let text = '';
  let size = 0;
  for await (const chunk of chunksOf(stream)) {
    size += chunk.length;
    if (size > maxBytes) {
      return null;
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

// Reading a stream in chunks that an abort ends at once, and spooling one whose size is unknown. The
// spool is a Blob, which browsers keep outside the page's memory.

/** The stream's chunks; leaving the loop early, or an abort, cancels the stream. */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  signal.throwIfAborted();
  const reader = stream.getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value as Uint8Array<ArrayBuffer>;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
    reader.releaseLock();
  }
}

/** Takes in all chunks. */
export async function spool(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  onBytes: (bytes: number) => void = () => {},
): Promise<Blob> {
  const parts: BlobPart[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    bytes += chunk.byteLength;
    onBytes(bytes);
  }
  return new Blob(parts);
}

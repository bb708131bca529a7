// Reading a stream in chunks that an abort ends at once, and spooling one whose end is wanted first.
// The spool is a Blob, which browsers keep outside the page's memory.

/**
 * The stream's chunks; leaving the loop early, or an abort, cancels the stream. When nothing comes for
 * `stallMs` it throws what a broken connection throws, a TypeError.
 */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  stallMs?: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  signal.throwIfAborted();
  const reader = stream.getReader();
  let stalled = false;
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  const stall = () => {
    stalled = true;
    cancel();
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const timer = stallMs === undefined ? undefined : setTimeout(stall, stallMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      signal.throwIfAborted();
      if (stalled) throw new TypeError(`nothing came for ${(stallMs ?? 0) / 1000} s`);
      if (done) return;
      yield value as Uint8Array<ArrayBuffer>;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
    reader.releaseLock();
  }
}

/** Pieces of this size leave our memory while the rest comes in. */
const pieceBytes = 8 << 20;

/** Takes in all chunks. */
export async function spool(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  onBytes: (bytes: number) => void = () => {},
): Promise<Blob> {
  const pieces: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let held = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    bytes += chunk.byteLength;
    held += chunk.byteLength;
    if (held > pieceBytes) {
      pieces.push(new Blob(parts));
      parts = [];
      held = 0;
    }
    onBytes(bytes);
  }
  return new Blob([...pieces, ...parts]);
}

/** The chunks, which have `size` bytes together, in one piece. */
export async function joined(
  size: number,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(size);
  let at = 0;
  for await (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

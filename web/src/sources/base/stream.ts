// Reads a stream in chunks until it ends or the caller aborts, and spools a stream to a Blob. Browsers keep Blobs
// outside the page's memory.
import { AmbryError, isAbort, messageOf } from '../../base/errors.ts';
import { withoutStop } from '../../base/without-stop.ts';

/** No data arrived for so long. It is a TypeError, as `fetch` throws for a broken connection. */
export class Stalled extends TypeError {
  constructor(ms: number) {
    super(`nothing came for ${ms / 1000} s (the option stallTimeout)`);
  }
}

/** The chunks of a stream. Leaving the loop early, or an abort, cancels the stream. When no data arrives for `stallMs`, it
 *  throws `Stalled`. */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  stallMs?: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  let stalled: Stalled | undefined;
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  const stall = () => {
    stalled = new Stalled(stallMs ?? 0);
    cancel();
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    for (;;) {
      const timer = stallMs === undefined ? undefined : setTimeout(stall, stallMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      signal.throwIfAborted();
      if (stalled) {
        throw stalled;
      }
      if (done) {
        return;
      }
      yield value as Uint8Array<ArrayBuffer>;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
    reader.releaseLock();
  }
}

/** The chunks of a stream that a caller gave. When it breaks, it throws an AmbryError. */
export async function* callersChunks(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* chunksOf(stream, signal);
  } catch (error) {
    throw brokenStream(error);
  }
}

/** The error for a stream that cannot be read on. An abort stays one. */
function brokenStream(cause: unknown): unknown {
  if (isAbort(cause) || cause instanceof AmbryError) {
    return cause;
  }
  const message = `The stream broke: ${withoutStop(messageOf(cause))}. Give it again from its beginning.`;
  return new AmbryError('NotFound', message, { path: 'source', cause });
}

/** Pieces of this size move to a Blob while the rest arrives. */
const pieceBytes = 8 << 20;

/** Reads all chunks. */
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

/** Joins chunks that have `size` bytes in total. */
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

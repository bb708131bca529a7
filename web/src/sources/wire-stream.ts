// Sends a stream to the worker. If the browser cannot transfer streams, the whole stream is read first. Pages fetch
// this file with their first stream.
import { abortError } from '../errors.ts';
import { Meter } from '../rpc/meter.ts';
import type { JobOptions } from '../rpc/types.ts';
import { brokenStream, callersChunks, spool } from '../sources/stream.ts';
import type { WireSource } from './wire.ts';

/** More bytes than the kind of a file needs. */
const headBytes = 1024;

export async function wireStream(
  stream: ReadableStream<Uint8Array>,
  options: JobOptions,
): Promise<WireSource> {
  return canTransferStreams() ? transferable(stream, options) : spooled(stream, options);
}

/** The whole stream, for a file that is read more than once. */
export async function spooled(
  stream: ReadableStream<Uint8Array>,
  options: JobOptions,
): Promise<{ readonly kind: 'blob'; readonly blob: Blob }> {
  const { signal = new AbortController().signal, onProgress } = options;
  const meter = new Meter((progress) => onProgress?.(progress));
  const blob = await spool(callersChunks(stream, signal), (loaded) => {
    meter.report({ phase: 'download', loaded, total: 0, cached: false });
  });
  meter.flush();
  return { kind: 'blob', blob };
}

/** A stream cannot be sent to a second worker. So the caller reads its first bytes, and chooses the worker by them. */
async function transferable(
  given: ReadableStream<Uint8Array>,
  { signal }: JobOptions,
): Promise<WireSource> {
  const [glance, stream] = given.tee();
  const head = await headOf(glance, signal);
  if (signal?.aborted) {
    leave(stream);
    throw abortError(signal);
  }
  return { kind: 'stream', stream, head };
}

/** An abort ends the read that waits. */
async function headOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const reader = stream.getReader();
  const stop = (): void => leave(reader);
  signal?.addEventListener('abort', stop);
  const head: number[] = [];
  try {
    while (head.length < headBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      head.push(...value.subarray(0, headBytes));
    }
  } catch (error) {
    throw brokenStream(error);
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
  return Uint8Array.from(head);
}

/** What the caller's stream says of its end is of no use any more. */
function leave(stream: Pick<ReadableStream, 'cancel'>): void {
  void stream.cancel().catch(() => {});
}

function canTransferStreams(): boolean {
  try {
    const stream = new ReadableStream();
    structuredClone(stream, { transfer: [stream] });
    return true;
  } catch {
    return false;
  }
}

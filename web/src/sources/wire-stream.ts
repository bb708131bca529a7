// Sends a stream to the worker. If the browser cannot transfer streams, the whole stream is read first. Pages fetch
// this file with their first stream.
import { abortError } from '../base/errors.ts';
import { Meter } from '../rpc/meter.ts';
import type { JobOptions } from '../rpc/types.ts';
import { callersChunks, spool } from './base/stream.ts';
import type { WireSource } from './base/wire.ts';

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
  options: JobOptions,
): Promise<WireSource> {
  const { signal = new AbortController().signal } = options;
  const [glance, stream] = given.tee();
  const head: number[] = [];
  try {
    for await (const chunk of callersChunks(glance, signal)) {
      head.push(...chunk.subarray(0, headBytes));
      if (head.length >= headBytes) {
        break;
      }
    }
  } catch (error) {
    // The caller's stream ends only when both of its branches are cancelled.
    void stream.cancel(signal.reason).catch(() => {});
    throw signal.aborted ? abortError(signal) : error;
  }
  return { kind: 'stream', stream, head: Uint8Array.from(head) };
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

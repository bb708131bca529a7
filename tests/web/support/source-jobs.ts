// Reads sources as jobs do.
import type { ByteSource } from '../../../web/src/sources/base/byte-source.ts';
import { RetryPolicy } from '../../../web/src/sources/base/retry-policy.ts';
import { MustRestart } from '../../../web/src/sources/http/error.ts';

/** Bytes that tell their places apart. */
export const sampleBytes = (size: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: size }, (_, i) => (i * 31 + (i >> 8)) & 0xff);

/** Tries again without a pause. */
export const quickRetries = (stallMs?: number): RetryPolicy =>
  new RetryPolicy({ sleep: () => Promise.resolve(), stallMs });

export async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) {
    parts.push(chunk.slice());
  }
  return Buffer.concat(parts);
}

/** Runs a job as `WorkerRuntime.withSource` does, and counts how often it starts. */
export async function runJob<T>(
  open: () => Promise<ByteSource>,
  use: (source: ByteSource) => Promise<T>,
): Promise<{ readonly result: T; readonly starts: number }> {
  for (let starts = 1; ; starts++) {
    let source: ByteSource | undefined;
    try {
      source = await open();
      const result = await use(source);
      await source.settle?.();
      return { result, starts };
    } catch (error) {
      if (!(error instanceof MustRestart) || starts > 3) {
        throw error;
      }
    } finally {
      await source?.close();
    }
  }
}

// Runs a job with an open source.
import type { Progress } from '../rpc/types.ts';
import type { ByteSource } from './base/byte-source.ts';
import { RetryPolicy } from './base/retry-policy.ts';
import type { WireSource } from './base/wire.ts';
import { MustRestart } from './http/error.ts';
import type { OpenSource } from './open-source.ts';

/** How often a download that cannot be continued is started again. */
const maxRestarts = 3;

interface SourceContext {
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/** Runs `use` with the source opened, and closes it. When a download cannot be continued, it starts again from the
 *  beginning. `whole` says whether the job reads all of the file. */
export async function useSource<T>(
  open: OpenSource,
  wire: WireSource,
  { signal, report }: SourceContext,
  use: (source: ByteSource) => Promise<T>,
  whole: boolean,
): Promise<T> {
  const onSpool = (loaded: number, total = 0) =>
    report({ phase: 'download', loaded, total, cached: false });
  // A job that reads a part of the file would seem to end early.
  const onHead = whole ? onSpool : undefined;
  const retryPolicy = new RetryPolicy({ stallMs: wire.stallTimeout });
  const options = { signal, onSpool, onHead, retryPolicy, whole };
  for (let restarts = 0; ; restarts++) {
    let source: ByteSource | undefined;
    try {
      source = await open(wire, options);
      const result = await use(source);
      await source.settle?.();
      return result;
    } catch (error) {
      if (!(error instanceof MustRestart) || restarts === maxRestarts) {
        throw error;
      }
    } finally {
      await source?.close();
    }
  }
}

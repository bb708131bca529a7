// Where a file's bytes come from, once it is open: read by range, or in one pass.
import type { RetryPolicy } from './http/retry-policy.ts';

export interface ByteSource {
  /** Bytes in the file; undefined while nobody has said so. */
  readonly size: number | undefined;
  /** Whether the bytes come over the network or from this machine. */
  readonly phase: 'download' | 'load';
  /** False when the bytes can be had only once, in order, as from a server without ranges. */
  readonly seekable: boolean;
  /** Whether the bytes given last came from a cache. */
  readonly cached?: boolean;
  /** What the caller should hear although the work goes on, such as a full disk. */
  readonly note?: string | undefined;
  /** `length` bytes from `offset` on; fewer only where a file of unknown size shows its end. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** The bytes `[begin, end)` in chunks. A source that is not seekable forgets them on the way. */
  stream(begin: number, end: number): AsyncIterable<Uint8Array>;
  /** The size, for which a source that does not know it takes the whole file in. */
  measure(): Promise<number>;
  /** What remains to be done once the work with it succeeded. */
  settle?(): Promise<void>;
  /** Ends whatever is under way; idempotent. */
  close(): Promise<void>;
}

/** What opening a source may need: a signal for its whole life, and a report while it is spooled. */
export interface SourceOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes that came in so far, while the size is still unknown. */
  readonly onSpool?: ((bytes: number) => void) | undefined;
  /** How often and how long to try again; shared by all attempts of a job. */
  readonly retryPolicy?: RetryPolicy;
}

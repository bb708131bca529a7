// The interface of an open file: its bytes are read by range, or in one pass.
import type { RetryPolicy } from './retry-policy.ts';
import type { HubAccess } from './wire.ts';

export interface ByteSource {
  /** The size of the file; undefined while it is unknown. */
  readonly size: number | undefined;
  /** Whether the bytes come over the network or from this machine. */
  readonly phase: 'download' | 'load';
  /** False if the bytes can be read only once and in order, as from a server without range requests. */
  readonly seekable: boolean;
  /** For files that follow one another as one: where each of them ends. */
  readonly ends?: readonly number[];
  /** Whether the last bytes came from a cache. */
  readonly cached?: boolean;
  /** A message for the caller about a problem that does not stop the work, such as a full disk. */
  readonly note?: string | undefined;
  /** `length` bytes from `offset` on. Fewer only if the size was unknown and the file ends there. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** The bytes `[begin, end)` in chunks. A source that is not seekable does not keep them. */
  stream(begin: number, end: number): AsyncIterable<Uint8Array>;
  /** The size. A source that does not know it reads the whole file first. */
  measure(): Promise<number>;
  /** Finishes the remaining work after the caller has succeeded. */
  settle?(): Promise<void>;
  /** Cancels all work. May be called more than once. */
  close(): Promise<void>;
}

/** The context of opening a source: a signal for its whole lifetime, and a progress report for spooling. */
export interface SourceOptions {
  readonly signal: AbortSignal;
  /** Called with the number of bytes so far, while the size is unknown. */
  readonly onSpool?: ((bytes: number) => void) | undefined;
  /** Called with the number of bytes of the head that have come from a server, and the size of the file. */
  readonly onHead?: ((bytes: number, size: number) => void) | undefined;
  /** How often and how long to retry. All requests of a job share it. */
  readonly retryPolicy?: RetryPolicy;
  /** Set for a file at the hub. */
  readonly hub?: HubAccess | undefined;
}

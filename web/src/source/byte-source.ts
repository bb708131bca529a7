// Where a file's bytes come from, once it is open: of known size, read by range or in one pass.

export interface ByteSource {
  /** Bytes in the file. */
  readonly size: number;
  /** Whether the bytes come over the network or from this machine. */
  readonly phase: 'download' | 'load';
  /** False when the bytes can be had only once, in order, as from a server without ranges. */
  readonly seekable: boolean;
  /** Exactly `length` bytes from `offset` on, which must lie in the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** The bytes `[begin, end)` in chunks. A source that is not seekable forgets them on the way. */
  stream(begin: number, end: number): AsyncIterable<Uint8Array>;
  /** Ends whatever is under way; idempotent. */
  close(): Promise<void>;
}

/** What opening a source may need: a signal for its whole life, and a report while it is spooled. */
export interface SourceOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes that came in so far, while the size is still unknown. */
  readonly onSpool?: (bytes: number) => void;
}

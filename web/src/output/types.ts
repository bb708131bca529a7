// Where the bytes of a new file go.

/** A file that exists and is written. Errors name `target`, the file that it will be. */
export interface WireOutput {
  readonly path: string;
  readonly target: string;
  /** Whether a crash may lose it. */
  readonly isTemporary?: boolean;
}

/** Receives the bytes of the target. Offsets may be out of order. The caller may change the bytes after each write. */
export interface Output {
  write(offset: number, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The target as a blob, or null when it was written to a file. */
  finish(): Promise<Blob | null>;
  /** Deletes everything that was written. */
  discard(): Promise<void>;
}

// The files that the option `cache` keeps.
/** A file in the cache, or as much of it as came before the download ended. */
export interface CachedFile {
  readonly url: string;
  /** Bytes that are kept. */
  readonly bytes: number;
  /** Bytes in the whole file; null while the server has not said so. */
  readonly size: number | null;
  readonly complete: boolean;
  /** When it was stored, in milliseconds since 1970. */
  readonly storedAt: number;
}

/** Node only: another directory than the user's cache directory. */
export interface CacheDirectory {
  readonly directory?: string;
}

/** What `cache` keeps. Files that a job is using are left alone. */
export interface CacheControl {
  list(where?: CacheDirectory): Promise<CachedFile[]>;
  /** Bytes in all. */
  size(where?: CacheDirectory): Promise<number>;
  /** Whether there was such a file and it is gone now. */
  delete(url: string | URL, where?: CacheDirectory): Promise<boolean>;
  clear(where?: CacheDirectory): Promise<void>;
}

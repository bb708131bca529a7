// The files that the option `cache` keeps.
/** A file in the cache. It is incomplete if its download did not end. */
export interface CachedFile {
  readonly url: string;
  /** The number of cached bytes. */
  readonly bytes: number;
  /** The size of the whole file; null while it is unknown. */
  readonly size: number | null;
  readonly complete: boolean;
  /** When it was stored, in milliseconds since 1970. */
  readonly storedAt: number;
}

/** Node only: the cache directory, instead of the user's. */
export interface CacheDirectory {
  readonly directory?: string;
}

/** The files in the cache. Files that a job uses are not deleted. */
export interface CacheControl {
  list(where?: CacheDirectory): Promise<CachedFile[]>;
  /** The size of all cached files in bytes. */
  size(where?: CacheDirectory): Promise<number>;
  /** Deletes the file and returns whether there was one. */
  delete(url: string | URL, where?: CacheDirectory): Promise<boolean>;
  clear(where?: CacheDirectory): Promise<void>;
}

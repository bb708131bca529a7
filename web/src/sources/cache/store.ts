// The interface of a cache and of its entries. An entry is a prefix of the file at the URL. It grows during the
// download, so that a download can continue after a reload.
import type { ByteSource } from '../base/byte-source.ts';

/** The metadata of a cached file, stored beside it as JSON. */
export interface CacheFacts {
  readonly url: string;
  /** The size of the whole file; absent while unknown. */
  readonly size?: number | undefined;
  /** The version of the file: its ETag, Last-Modified, or both. */
  readonly version?: string | undefined;
  /** The SHA-256 of the whole file, once it was computed. */
  readonly sha256?: string | undefined;
  readonly complete: boolean;
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

export interface CacheEntry {
  readonly facts: CacheFacts;
  /** The number of cached bytes. */
  readonly bytes: number;
  /** Whether the bytes have the SHA-256 that was recorded. Absent where none was, and where it cannot be computed fast. */
  readonly isIntact?: ((signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Reads the cached bytes. */
  open(signal: AbortSignal): Promise<ByteSource>;
}

/** Appends to one file. It has an exclusive lock. */
export interface CacheWriter {
  /** Throws when the storage is full. */
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  describe(facts: CacheFacts): Promise<void>;
  close(): Promise<void>;
}

/** Releases a lock. May be called more than once. */
export type Release = () => Promise<void>;

export interface CacheStore {
  /** Takes a lock against writers (`shared`) or against all others. Undefined when another job has the lock. */
  lock(key: string, mode: 'shared' | 'exclusive'): Promise<Release | undefined>;
  find(key: string): Promise<CacheEntry | undefined>;
  /** Appends after the first `from` cached bytes, and removes what follows them. Take an exclusive lock first. */
  write(key: string, from: number): Promise<CacheWriter>;
  remove(key: string): Promise<boolean>;
  /** The keys of all files. */
  keys(): Promise<string[]>;
}

/** A file name for the URL that is valid on any file system. */
export async function keyOf(url: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(url));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return hex.join('').slice(0, 32);
}

/** Parses the metadata; undefined if it is invalid. */
export function parseFacts(text: string): CacheFacts | undefined {
  try {
    const facts = JSON.parse(text) as CacheFacts;
    return isValid(facts) ? facts : undefined;
  } catch {
    return undefined;
  }
}

function isValid({ url, size, version, sha256, complete, storedAt }: CacheFacts): boolean {
  // A version is sent as a header.
  const isText = (value: unknown) => typeof value === 'string' && !/[^ -~\x80-\xff]/.test(value);
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
  return (
    typeof url === 'string' &&
    typeof complete === 'boolean' &&
    isCount(storedAt) &&
    (size === undefined || isCount(size)) &&
    (version === undefined || isText(version)) &&
    (sha256 === undefined || isText(sha256))
  );
}

/** Whether there can be so many bytes of the file: all of them if it is complete. */
export function hasRightSize({ facts: { complete, size }, bytes }: CacheEntry): boolean {
  return complete ? bytes === size : bytes <= (size ?? bytes);
}

// What a cache keeps, and what a place to keep it in must be able to do. A file in the cache is a prefix
// of the file at the URL: it grows while it is downloaded, so that a download survives a reload.
import type { ByteSource } from '../byte-source.ts';

/** What is known about a kept file; stored beside it as JSON. */
export interface CacheFacts {
  readonly url: string;
  /** Bytes in the whole file; absent while unknown. */
  readonly size?: number | undefined;
  /** The server's name for this version: a strong ETag, or Last-Modified. */
  readonly version?: string | undefined;
  /** The SHA-256 that the whole file was found to have. */
  readonly sha256?: string | undefined;
  readonly complete: boolean;
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

export interface CacheEntry {
  readonly facts: CacheFacts;
  /** Bytes that are there. */
  readonly bytes: number;
  /** Reads those bytes. */
  open(signal: AbortSignal): Promise<ByteSource>;
}

/** Appends to one file; holds it against all others. */
export interface CacheWriter {
  /** Throws when the place is full. */
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  describe(facts: CacheFacts): Promise<void>;
  close(): Promise<void>;
}

/** Gives a lock back; idempotent. */
export type Release = () => Promise<void>;

export interface CacheStore {
  /** Keeps others from writing (`shared`) or from using it at all; undefined when one does already. */
  lock(key: string, mode: 'shared' | 'exclusive'): Promise<Release | undefined>;
  find(key: string): Promise<CacheEntry | undefined>;
  /** Appends to what is there. Take an exclusive lock before. */
  write(key: string): Promise<CacheWriter>;
  remove(key: string): Promise<boolean>;
  /** The keys of all files. */
  keys(): Promise<string[]>;
}

/** A name for the URL that any file system takes. */
export async function keyOf(url: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(url));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return hex.join('').slice(0, 32);
}

/** The facts in this text; undefined when it is not what we write. */
export function parseFacts(text: string): CacheFacts | undefined {
  try {
    const facts = JSON.parse(text) as Partial<CacheFacts> | null;
    return typeof facts?.url === 'string' ? (facts as CacheFacts) : undefined;
  } catch {
    return undefined;
  }
}

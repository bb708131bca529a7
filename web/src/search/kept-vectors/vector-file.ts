// The interface of a file of vectors, its name, and the errors of its storage.
import { AmbryError, messageOf } from '../../base/errors.ts';
import type { VectorPlace } from './protocol.ts';

/** Only one worker at a time has the file open. */
export interface VectorFile {
  size(): Promise<number>;
  /** Returns fewer bytes at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Writes all bytes, or throws. */
  write(offset: number, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  truncate(size: number): Promise<void>;
  flush(): Promise<void>;
  /** Closes the file, and releases its lock. */
  close(): Promise<void>;
}

export type OpenVectorFile = (place: VectorPlace) => Promise<VectorFile>;

export const suffix = '.vectors';
const mostLetters = 200;

/** Makes a file name that is valid on any file system. */
export function fileNameOf(name: unknown): string {
  const isText = typeof name === 'string' && name !== '' && !/[\ud800-\udfff]/u.test(name);
  const file = isText ? encodeURIComponent(name).replaceAll('*', '%2A') : '';
  if (file !== '' && file.length <= mostLetters) {
    return file + suffix;
  }
  const message = `The name of kept vectors must be a text of 1 to ${mostLetters} letters.`;
  throw new AmbryError('BadValue', message, { path: 'keep' });
}

/** The name of the kept vectors; undefined for other files. */
export function nameIn(file: string): string | undefined {
  if (!file.endsWith(suffix)) {
    return undefined;
  }
  try {
    return decodeURIComponent(file.slice(0, -suffix.length));
  } catch {
    return undefined;
  }
}

export function inUse(): AmbryError {
  return new AmbryError('Unsupported', 'Another tab or process keeps vectors there now.');
}

/** Converts an error of the file system. */
export function storageError(error: unknown): AmbryError {
  if (error instanceof AmbryError) {
    return error;
  }
  const { name, code } = error as { readonly name?: string; readonly code?: string };
  const isFull = name === 'QuotaExceededError' || code === 'ENOSPC' || code === 'EDQUOT';
  if (isFull) {
    return new AmbryError('LimitExceeded', 'The storage is full.', { cause: error });
  }
  const message = `The file of vectors cannot be used: ${messageOf(error)}`;
  return new AmbryError('Unsupported', message, { cause: error });
}

/** Wraps a file so that errors of the file system become `AmbryError`s. */
export function withStorageErrors(file: VectorFile): VectorFile {
  const safe = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw storageError(error);
    }
  };
  return {
    size: () => safe(file.size()),
    read: (offset, length) => safe(file.read(offset, length)),
    write: (offset, bytes) => safe(file.write(offset, bytes)),
    truncate: (size) => safe(file.truncate(size)),
    flush: () => safe(file.flush()),
    close: () => safe(file.close()),
  };
}

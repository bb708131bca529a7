// Reads and writes kept vectors in the origin-private file system. Only workers have access handles. Written bytes
// survive a reload, however the worker ended.
import { AmbryError } from '../../base/errors.ts';
import type { Release } from '../../sources/cache/store.ts';
import { webLock } from '../../sources/cache/web-lock.ts';
import { canWriteFiles, writeAll } from '../../sources/cache/worker-opfs.ts';
import { vectorFolder } from './opfs.ts';
import type { VectorPlace } from './protocol.ts';
import {
  fileNameOf,
  inUse,
  storageError,
  type VectorFile,
  withStorageErrors,
} from './vector-file.ts';

/** The worker of a closed page may keep its file open for a moment longer. */
const attempts = 15;
const pauseMs = 100;

export async function openOpfs(place: VectorPlace): Promise<VectorFile> {
  if (!('name' in place)) {
    const message = 'A browser has no paths to keep vectors at; give `keep` a name.';
    throw new AmbryError('BadValue', message, { path: 'keep' });
  }
  const name = fileNameOf(place.name);
  const where = canWriteFiles() ? await vectorFolder(true) : undefined;
  if (!where) {
    throw new AmbryError('Unsupported', 'This browser keeps no files for this page.');
  }
  const release = await withRetries(() => webLock(name, 'exclusive'));
  if (!release) {
    throw inUse();
  }
  try {
    const file = await where.getFileHandle(name, { create: true });
    const handle = await withRetries(() => accessTo(file));
    if (!handle) {
      throw inUse();
    }
    return withStorageErrors(fileOf(handle, release));
  } catch (error) {
    await release();
    throw error;
  }
}

/** Undefined while another worker has the file open. */
async function accessTo(
  file: FileSystemFileHandle,
): Promise<FileSystemSyncAccessHandle | undefined> {
  try {
    return await file.createSyncAccessHandle();
  } catch (error) {
    if ((error as DOMException).name === 'NoModificationAllowedError') {
      return undefined;
    }
    throw storageError(error);
  }
}

async function withRetries<T>(attempt: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let left = attempts; left > 0; left--) {
    const result = await attempt();
    if (result !== undefined) {
      return result;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return undefined;
}

function fileOf(handle: FileSystemSyncAccessHandle, release: Release): VectorFile {
  return {
    size: async () => handle.getSize(),
    read: async (offset, length) => {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, handle.read(bytes, { at: offset }));
    },
    write: async (offset, bytes) => writeAll(handle, bytes, offset),
    truncate: async (size) => handle.truncate(size),
    flush: async () => handle.flush(),
    close: async () => {
      handle.close();
      await release();
    },
  };
}

// Lists and deletes kept vectors in the origin-private file system. Workers read and write them (worker-opfs.ts).

import { webLock } from '../../sources/cache/web-lock.ts';
import type { KeptVectorsFile } from '../base/types.ts';
import { fileNameOf, nameIn, storageError } from './vector-file.ts';

const folder = 'ambry-vectors';

/** Undefined if there is no such file system (an old browser, no https, some private windows), or if it is empty. */
export async function vectorFolder(create = false): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    const root = await navigator.storage.getDirectory();
    return await root.getDirectoryHandle(folder, { create });
  } catch (error) {
    if ((error as DOMException).name === 'QuotaExceededError') {
      throw storageError(error);
    }
    return undefined;
  }
}

export async function list(): Promise<KeptVectorsFile[]> {
  const files: KeptVectorsFile[] = [];
  const where = await vectorFolder();
  if (!where) {
    return files;
  }
  for await (const [file, handle] of where.entries()) {
    const name = nameIn(file);
    if (name === undefined) {
      continue;
    }
    const { size: bytes } = await (handle as FileSystemFileHandle).getFile();
    files.push({ name, bytes });
  }
  return files;
}

/** Returns whether the file existed and was deleted. */
export async function remove(name: string): Promise<boolean> {
  const file = fileNameOf(name);
  const where = await vectorFolder();
  if (!where) {
    return false;
  }
  const release = await webLock(file, 'exclusive');
  if (!release) {
    return false;
  }
  try {
    await where.removeEntry(file);
    return true;
  } catch {
    return false;
  } finally {
    await release();
  }
}

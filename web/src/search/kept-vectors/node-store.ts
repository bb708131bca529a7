// Stores kept vectors in files, for Node. A lock file beside each one names the process that has it open. A lock of a
// process that has ended is ignored.
import { constants } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRunning } from '../../sources/base/node-process.ts';
import { defaultDirectory } from '../../sources/cache/node-directory.ts';
import type { Release } from '../../sources/cache/store.ts';
import type { KeptVectorsFile } from '../base/types.ts';
import type { VectorPlace } from './protocol.ts';
import {
  fileNameOf,
  inUse,
  nameIn,
  storageError,
  type VectorFile,
  withStorageErrors,
} from './vector-file.ts';

const folder = (): string => join(defaultDirectory(), 'vectors');

export async function list(): Promise<KeptVectorsFile[]> {
  const files: KeptVectorsFile[] = [];
  for (const file of await readdir(folder()).catch(() => [])) {
    const name = nameIn(file);
    if (name === undefined) {
      continue;
    }
    const { size: bytes } = await stat(join(folder(), file));
    files.push({ name, bytes });
  }
  return files;
}

/** Returns whether the file existed and was deleted. */
export async function remove(name: string): Promise<boolean> {
  const path = join(folder(), fileNameOf(name));
  const release = await lock(path).catch(() => undefined);
  if (!release) {
    return false;
  }
  try {
    await rm(path);
    return true;
  } catch {
    return false;
  } finally {
    await release();
  }
}

export async function openVectorFile(place: VectorPlace): Promise<VectorFile> {
  try {
    const path = 'path' in place ? place.path : join(folder(), fileNameOf(place.name));
    await mkdir(dirname(path), { recursive: true });
    const release = await lock(path);
    if (!release) {
      throw inUse();
    }
    return withStorageErrors(await fileAt(path, release));
  } catch (error) {
    throw storageError(error);
  }
}

/** Undefined while another process, or another worker of this one, has the file open. */
async function lock(path: string): Promise<Release | undefined> {
  const name = `${path}.lock`;
  const release = () => rm(name, { force: true });
  for (const isLast of [false, true]) {
    try {
      await writeFile(name, String(process.pid), { flag: 'wx' });
      return release;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
    const owner = Number(await readFile(name, 'utf8').catch(() => '0'));
    if (isLast || (owner > 0 && isRunning(owner))) {
      return undefined;
    }
    await release();
  }
  return undefined;
}

async function fileAt(path: string, release: Release): Promise<VectorFile> {
  // Opens for reading and writing, creates a missing file, and does not truncate it.
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT).catch(async (error) => {
    await release();
    throw error;
  });
  return {
    size: async () => (await handle.stat()).size,
    read: async (offset, length) => {
      const bytes = new Uint8Array(length);
      let at = 0;
      for (;;) {
        const { bytesRead } = await handle.read(bytes, at, length - at, offset + at);
        at += bytesRead;
        if (bytesRead === 0 || at === length) {
          return bytes.subarray(0, at);
        }
      }
    },
    write: async (offset, bytes) => {
      for (let at = 0; at < bytes.length; ) {
        at += (await handle.write(bytes, at, bytes.length - at, offset + at)).bytesWritten;
      }
    },
    truncate: (size) => handle.truncate(size),
    flush: () => handle.datasync(),
    close: async () => {
      await handle.close();
      await release();
    },
  };
}

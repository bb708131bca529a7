// Writes a cache entry in the origin-private file system. Only workers have access handles. Written bytes survive a
// reload, however the worker ended.
import { bytesName, factsName } from './opfs.ts';
import type { CacheWriter } from './store.ts';

const flushBytes = 8 << 20;

/** Whether this worker has access handles. */
export function canWriteFiles(): boolean {
  const File = (globalThis as { FileSystemFileHandle?: { prototype: object } })
    .FileSystemFileHandle;
  return File !== undefined && 'createSyncAccessHandle' in File.prototype;
}

export async function writeOpfs(
  folder: FileSystemDirectoryHandle,
  key: string,
  from: number,
): Promise<CacheWriter> {
  const open = async (name: string) =>
    (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle();
  const handle = await open(bytesName(key));
  if (handle.getSize() > from) {
    handle.truncate(from);
  }
  let at = handle.getSize();
  let flushed = at;
  return {
    append: (bytes) => {
      writeAll(handle, bytes, at);
      at += bytes.byteLength;
      if (at - flushed >= flushBytes) {
        handle.flush();
        flushed = at;
      }
      return Promise.resolve();
    },
    describe: async (facts) => {
      handle.flush();
      const file = await open(factsName(key));
      try {
        file.truncate(0);
        writeAll(file, new TextEncoder().encode(JSON.stringify(facts)), 0);
        file.flush();
      } finally {
        file.close();
      }
    },
    close: () => {
      handle.close();
      return Promise.resolve();
    },
  };
}

export function writeAll(
  handle: FileSystemSyncAccessHandle,
  bytes: Uint8Array<ArrayBuffer>,
  at: number,
): void {
  const written = handle.write(bytes, { at });
  if (written < bytes.byteLength) {
    throw new DOMException('no room', 'QuotaExceededError');
  }
}

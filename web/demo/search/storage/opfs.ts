// Helpers for files in the origin-private file system.

/** Whether the browser can write such files from a page. */
export function canWriteFiles(): boolean {
  const File = (globalThis as { FileSystemFileHandle?: { prototype: object } })
    .FileSystemFileHandle;
  return File !== undefined && 'createWritable' in File.prototype;
}

export async function fileAt(folder: FileSystemDirectoryHandle, name: string): Promise<File> {
  return (await folder.getFileHandle(name)).getFile();
}

export async function namesIn(folder: FileSystemDirectoryHandle): Promise<string[]> {
  const names: string[] = [];
  for await (const name of folder.keys()) {
    names.push(name);
  }
  return names;
}

/** Writes the whole file, or leaves the old one as it was. */
export async function writeFile(
  folder: FileSystemDirectoryHandle,
  name: string,
  parts: Iterable<Blob | string>,
): Promise<void> {
  const handle = await folder.getFileHandle(name, { create: true });
  const stream = await handle.createWritable();
  try {
    for (const part of parts) {
      await stream.write(part);
    }
    await stream.close();
  } catch (error) {
    await stream.abort().catch(() => undefined);
    if ((await handle.getFile()).size === 0) {
      await removeFile(folder, name);
    }
    throw error;
  }
}

/** Returns whether there was such a file or folder. */
export async function removeFile(
  folder: FileSystemDirectoryHandle,
  name: string,
): Promise<boolean> {
  try {
    await folder.removeEntry(name, { recursive: true });
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') {
      return false;
    }
    throw error;
  }
}

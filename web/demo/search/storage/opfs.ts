// The few things that are done with files of the origin-private file system.

/** Whether this browser writes such files from a page. */
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

/** The file is there once it is whole, or as it was before. */
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

/** True where something of this name was there. */
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

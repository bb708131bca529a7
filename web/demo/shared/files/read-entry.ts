// Reads a dropped file or folder. Pages load this with the first drop.
import { isHidden, type PathFile } from './given-files.ts';

/** A drop with more files is a mistake, such as a home folder or a disk. */
const maxFiles = 20_000;

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A directory reader gives its entries in portions. An empty portion is the last one. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) {
      return entries;
    }
    entries.push(...portion);
  }
}

/** Adds the files of `entry` to `files`, and the paths of hidden ones to `skipped`. */
export async function readEntry(
  entry: FileSystemEntry,
  files: PathFile[],
  skipped: string[],
): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '');
  if (isHidden(path)) {
    skipped.push(path);
  } else if (entry.isFile) {
    files.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
  } else {
    for (const child of await entriesOf(entry as FileSystemDirectoryEntry)) {
      await readEntry(child, files, skipped);
    }
  }
  if (files.length > maxFiles) {
    throw new Error(`These are more than ${maxFiles} files. Choose a smaller folder.`);
  }
}

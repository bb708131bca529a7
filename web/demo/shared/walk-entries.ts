// Folders that were dropped, walked to the bottom; fetched with the first drop.
import { isHidden, type PathFile } from './given-files.ts';

/** More than this in one drop is a slip of the hand, a home folder or a disk. */
const kMaxFiles = 20_000;

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A directory reader answers in portions and says that it is done with an empty one. */
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

/** Adds what is below `entry`. */
export async function walk(
  entry: FileSystemEntry,
  files: PathFile[],
  leftOut: string[],
): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '');
  if (isHidden(path)) {
    leftOut.push(path);
  } else if (entry.isFile) {
    files.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
  } else {
    for (const child of await entriesOf(entry as FileSystemDirectoryEntry)) {
      await walk(child, files, leftOut);
    }
  }
  if (files.length > kMaxFiles) {
    throw new Error(`That is more than ${kMaxFiles} files; choose a smaller folder.`);
  }
}

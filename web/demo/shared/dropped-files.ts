// Files from a drop or a picker, with their path below what was dropped, folders walked to the bottom.

export interface PathFile {
  /** `notes/may.md`; only the name for a single file. */
  readonly path: string;
  readonly file: File;
}

/** What a drop or a picker gave. */
export interface FileHaul {
  readonly files: readonly PathFile[];
  /** Paths that were left out: hidden files and folders. */
  readonly leftOut: readonly string[];
}

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

const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

async function walk(entry: FileSystemEntry, files: PathFile[], leftOut: string[]): Promise<void> {
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

const byPath = (a: PathFile, b: PathFile): number => (a.path < b.path ? -1 : 1);

/** Must be called while the drop event is being handled: its items are gone afterwards. */
export async function droppedFiles(transfer: DataTransfer): Promise<FileHaul> {
  const entries = [...transfer.items]
    .map((item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
    .filter((entry) => entry !== null);
  if (entries.length === 0) {
    return pickedFiles([...transfer.files]);
  }
  const files: PathFile[] = [];
  const leftOut: string[] = [];
  for (const entry of entries) {
    await walk(entry, files, leftOut);
  }
  return { files: files.sort(byPath), leftOut };
}

/** The same for the files of an `<input>`, which knows folders by `webkitRelativePath`. */
export function pickedFiles(picked: readonly File[]): FileHaul {
  const all = picked.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return {
    files: all.filter(({ path }) => !isHidden(path)).sort(byPath),
    leftOut: all.filter(({ path }) => isHidden(path)).map(({ path }) => path),
  };
}

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

export const isHidden = (path: string): boolean =>
  path.split('/').some((part) => part.startsWith('.'));

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
  const { walk } = await import('./walk-entries.ts');
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

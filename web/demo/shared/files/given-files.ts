// Files that were dropped on the page or chosen in an input, with their paths.

export interface PathFile {
  /** Starts with the dropped folder, as in `notes/may.md`. A single file has its name. */
  readonly path: string;
  readonly file: File;
}

export interface GivenFiles {
  readonly files: readonly PathFile[];
  /** Paths of hidden files and folders. */
  readonly skipped: readonly string[];
}

export const isHidden = (path: string): boolean =>
  path.split('/').some((part) => part.startsWith('.'));

export const byPath = (a: PathFile, b: PathFile): number => (a.path < b.path ? -1 : 1);

/** The files of an `<input>`. Their `webkitRelativePath` has the folders. */
export function pickedFiles(picked: readonly File[]): GivenFiles {
  const all = picked.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return {
    files: all.filter(({ path }) => !isHidden(path)).sort(byPath),
    skipped: all.filter(({ path }) => isHidden(path)).map(({ path }) => path),
  };
}

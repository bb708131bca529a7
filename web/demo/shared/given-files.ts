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

export const byPath = (a: PathFile, b: PathFile): number => (a.path < b.path ? -1 : 1);

/** The same for the files of an `<input>`, which knows folders by `webkitRelativePath`. */
export function pickedFiles(picked: readonly File[]): FileHaul {
  const all = picked.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return {
    files: all.filter(({ path }) => !isHidden(path)).sort(byPath),
    leftOut: all.filter(({ path }) => isHidden(path)).map(({ path }) => path),
  };
}

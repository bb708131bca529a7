// Whether the last visit left anything. The page asks this first of all, so it is little code.

export const kWorkspaceFolder = 'ambry-workspace';

/** The folder with what is kept; undefined where there is none. */
export async function keptFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(kWorkspaceFolder);
  } catch {
    return undefined;
  }
}

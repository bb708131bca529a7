// Finds the folder of the saved workspace. The page does this first, so this module is small.

export const workspaceFolderName = 'ambry-workspace';

/** Undefined if nothing is saved. */
export async function savedFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(workspaceFolderName);
  } catch {
    return undefined;
  }
}

// Saves a file on the user's machine.

export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser holds the content itself once this task is over.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** Part of Chromium, and missing from TypeScript's types. */
interface FilePickers {
  readonly showSaveFilePicker?: (options: {
    suggestedName: string;
  }) => Promise<FileSystemFileHandle>;
}

/** Writes to a file that the user picks, or downloads it where the browser has no such picker. Returns false if the
 *  user cancels. Call it from a click handler. */
export async function saveStream(content: Blob, name: string): Promise<boolean> {
  const { showSaveFilePicker } = globalThis as FilePickers;
  if (showSaveFilePicker === undefined) {
    saveFile(content, name);
    return true;
  }
  try {
    const handle = await showSaveFilePicker({ suggestedName: name });
    await content.stream().pipeTo(await handle.createWritable());
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') {
      return false;
    }
    throw error;
  }
}

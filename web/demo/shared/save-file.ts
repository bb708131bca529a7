// Hands a file to the person at the page.

export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken its own reference by the time the click's task is over.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** Chromium's, which TypeScript's own types leave out. */
interface FilePickers {
  readonly showSaveFilePicker?: (options: {
    suggestedName: string;
  }) => Promise<FileSystemFileHandle>;
}

/** Writes straight to a file that the person picks, where the browser can; else as a download. False
 *  when they think better of it. Call it from a click. */
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

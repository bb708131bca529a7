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

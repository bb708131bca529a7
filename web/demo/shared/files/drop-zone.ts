// Files can be dropped anywhere on the page. An overlay says so while files are dragged over it.

import { byId } from '../dom/dom.ts';
import { byPath, type GivenFiles, type PathFile, pickedFiles } from './given-files.ts';

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** Reads folders with their subfolders. Call it inside the drop event's handler: the event's items are gone afterwards. */
async function droppedFiles(transfer: DataTransfer): Promise<GivenFiles> {
  const entries = [...transfer.items]
    .map((item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
    .filter((entry) => entry !== null);
  if (entries.length === 0) {
    return pickedFiles([...transfer.files]);
  }
  const files: PathFile[] = [];
  const skipped: string[] = [];
  const { readEntry } = await import('./read-entry.ts');
  for (const entry of entries) {
    await readEntry(entry, files, skipped);
  }
  return { files: files.sort(byPath), skipped };
}

export function mountDropZone(receive: (files: Promise<GivenFiles>) => void): void {
  const overlay = byId('drop-overlay', HTMLElement);
  // The events fire for every element that the pointer crosses. It is outside the page when all of these were left.
  let depth = 0;
  const setDepth = (next: number): void => {
    depth = Math.max(0, next);
    overlay.hidden = depth === 0;
  };

  addEventListener('dragenter', (event) => {
    if (hasFiles(event)) {
      event.preventDefault();
      setDepth(depth + 1);
    }
  });
  addEventListener('dragleave', (event) => {
    if (hasFiles(event)) {
      setDepth(depth - 1);
    }
  });
  addEventListener('dragover', (event) => {
    if (hasFiles(event)) {
      event.preventDefault();
    }
  });
  addEventListener('drop', (event) => {
    if (event.dataTransfer !== null && hasFiles(event)) {
      event.preventDefault();
      setDepth(0);
      receive(droppedFiles(event.dataTransfer));
    }
  });
}

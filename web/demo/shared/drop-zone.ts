// The whole page takes drops; a veil says so while something hovers over it.

import { byId } from './dom.ts';
import { byPath, type FileHaul, type PathFile, pickedFiles } from './given-files.ts';

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** Must be called while the drop event is being handled: its items are gone afterwards. */
async function droppedFiles(transfer: DataTransfer): Promise<FileHaul> {
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

export function mountDropZone(receive: (files: Promise<FileHaul>) => void): void {
  const veil = byId('drop-veil', HTMLElement);
  // Enter and leave fire for every element the pointer crosses; their balance says whether it is inside.
  let depth = 0;
  const settle = (next: number): void => {
    depth = Math.max(0, next);
    veil.hidden = depth === 0;
  };

  addEventListener('dragenter', (event) => {
    if (carriesFiles(event)) {
      event.preventDefault();
      settle(depth + 1);
    }
  });
  addEventListener('dragleave', (event) => {
    if (carriesFiles(event)) {
      settle(depth - 1);
    }
  });
  addEventListener('dragover', (event) => {
    if (carriesFiles(event)) {
      event.preventDefault();
    }
  });
  addEventListener('drop', (event) => {
    if (event.dataTransfer !== null && carriesFiles(event)) {
      event.preventDefault();
      settle(0);
      receive(droppedFiles(event.dataTransfer));
    }
  });
}

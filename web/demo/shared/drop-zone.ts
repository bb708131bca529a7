// The whole page takes drops; a veil says so while something hovers over it.

import { byId } from './dom.ts';
import { droppedFiles, type FileHaul } from './given-files.ts';

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
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

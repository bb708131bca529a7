// Files that the user opens with the installed site, from the system's file manager. public/manifest.webmanifest lists their types.

import { type GivenFiles, pickedFiles } from '../files/given-files.ts';

/** Part of the Launch Handler API, which only some browsers have. */
interface LaunchQueue {
  setConsumer(
    consume: (launch: { readonly files?: readonly FileSystemFileHandle[] }) => void,
  ): void;
}

export function onLaunched(receive: (files: Promise<GivenFiles>) => void): void {
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files = [] }) => {
    if (files.length > 0) {
      receive(Promise.all(files.map((handle) => handle.getFile())).then(pickedFiles));
    }
  });
}

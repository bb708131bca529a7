// Files on their way from one page to another. Files are references, so nothing is copied, however large they are.

import type { GivenFiles } from '../shared/files/given-files.ts';

/** The other page takes its files as soon as it has started. */
const mostMs = 60_000;

interface Held {
  readonly given: GivenFiles;
  readonly end: () => void;
}

export class HeldFiles {
  readonly #held = new Map<string, Held>();

  /** Resolves when the files were taken, or when it is too late. The service worker must live until then. */
  hold(id: string, given: GivenFiles): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#held.delete(id);
        resolve();
      };
      const timer = setTimeout(end, mostMs);
      this.#held.set(id, { given, end });
    });
  }

  take(id: string): GivenFiles | null {
    const held = this.#held.get(id);
    held?.end();
    return held?.given ?? null;
  }
}

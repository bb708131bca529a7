// What the service worker remembers from one start to the next.

import type { Flavour } from './site-files.ts';

export interface Notes {
  /** The pages that were visited and are kept, each with the flavours that it runs. */
  readonly visited: Readonly<Record<string, readonly Flavour[]>>;
  /** The paths of the files that were used. Those of an older build have other hashes. */
  readonly used: readonly string[];
  /** Whether all pages are kept, also what was never used. */
  readonly all: boolean;
  /** The tabs that an older build was open in when this one took over. Its files stay until they are closed. */
  readonly olderTabs: readonly string[];
}

export const noNotes: Notes = { visited: {}, used: [], all: false, olderTabs: [] };

/** In a cache of its own, as service workers have no simpler place. */
export class NoteBook {
  readonly #name: string;
  readonly #key: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(root: URL, name: string) {
    this.#name = name;
    this.#key = new URL('notes.json', root).href;
  }

  async read(): Promise<Notes> {
    const found = await (await caches.open(this.#name)).match(this.#key);
    // Older builds noted less.
    return found === undefined ? noNotes : { ...noNotes, ...((await found.json()) as Notes) };
  }

  /** Changes are made one after another. `change` returns what is new, or null. */
  async update(change: (notes: Notes) => Partial<Notes> | null): Promise<void> {
    const updated = this.#last.then(async () => {
      const notes = await this.read().catch(() => noNotes);
      const news = change(notes);
      if (news !== null) {
        const cache = await caches.open(this.#name);
        await cache.put(this.#key, Response.json({ ...notes, ...news }));
      }
    });
    this.#last = updated.catch(() => {});
    await updated;
  }

  async delete(): Promise<void> {
    await caches.delete(this.#name);
  }
}

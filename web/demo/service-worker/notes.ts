// What the service worker remembers from one start to the next.

import type { Flavour } from './site-files.ts';

export interface Notes {
  /** The pages that were visited and are kept, each with the flavours that it runs. */
  readonly visited: Readonly<Record<string, readonly Flavour[]>>;
  /** The tabs that an older build was open in when this one took over. Its files stay until they are closed. */
  readonly olderTabs: readonly string[];
}

export const noNotes: Notes = { visited: {}, olderTabs: [] };

/** In a cache of its own, as service workers have no simpler place. */
export class NoteBook {
  readonly #name: string;
  readonly #key: string;

  constructor(root: URL, name: string) {
    this.#name = name;
    this.#key = new URL('notes.json', root).href;
  }

  async read(): Promise<Notes> {
    const found = await (await caches.open(this.#name)).match(this.#key);
    return found === undefined ? noNotes : ((await found.json()) as Notes);
  }

  async write(notes: Notes): Promise<void> {
    await (await caches.open(this.#name)).put(this.#key, Response.json(notes));
  }

  async delete(): Promise<void> {
    await caches.delete(this.#name);
  }
}

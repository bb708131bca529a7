// What of the site is kept, for the build that this service worker is from.

import type { KeptState } from '../shared/site/worker-messages.ts';
import type { KeptFiles } from './kept-files.ts';
import { type NoteBook, noNotes } from './notes.ts';
import { type Flavour, filesOf, type SiteFile, type SiteFiles } from './site-files.ts';
import type { VisitedDocs } from './visited-docs.ts';

/** An answer to a page that asks to keep files is given after this time, so that the page shows the progress. */
const batchMs = 1000;
const atOnce = 4;

interface Places {
  readonly site: SiteFiles;
  readonly files: KeptFiles;
  readonly notes: NoteBook;
  readonly docs: VisitedDocs;
}

export class KeptSite {
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Keeps files of the page for a short while. Asked again and again, it keeps all. */
  async keep(page: string, runs: Flavour): Promise<KeptState> {
    await this.#markVisited(page, runs);
    const end = performance.now() + batchMs;
    const left = filesOf(this.#places.site, page, runs).values();
    let failed = false;
    const keepNext = async (): Promise<void> => {
      for (const file of left) {
        try {
          await this.#places.files.keep(file);
        } catch {
          failed = true;
        }
        if (failed || performance.now() > end) {
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, keepNext));
    return { ...(await this.state(page, runs)), failed };
  }

  /** Nothing happens for a path without a file. */
  async keepSample(path: string): Promise<void> {
    const { site, files } = this.#places;
    const sample = site.files.find((file) => file.path === path);
    if (sample !== undefined) {
      await files.keep(sample);
    }
  }

  async state(page: string, runs: Flavour): Promise<KeptState> {
    const { site, docs } = this.#places;
    const sizeOf = async (files: readonly SiteFile[]): Promise<number> => {
      const kept = await this.#kept(files);
      return kept.reduce((sum, { bytes }) => sum + bytes, 0);
    };
    const files = filesOf(site, page, runs);
    return {
      kept: await sizeOf(files),
      total: files.reduce((sum, { bytes }) => sum + bytes, 0),
      everything: (await sizeOf(site.files)) + (await docs.bytes()),
      failed: false,
    };
  }

  /** Whether the page was visited, and all of it is kept. */
  async isComplete(page: string): Promise<boolean> {
    const { site, notes } = this.#places;
    for (const runs of (await notes.read()).visited[page] ?? []) {
      const files = filesOf(site, page, runs);
      if ((await this.#kept(files)).length === files.length) {
        return true;
      }
    }
    return false;
  }

  async completePages(): Promise<string[]> {
    const complete: string[] = [];
    for (const page of Object.keys(this.#places.site.pages)) {
      if (await this.isComplete(page)) {
        complete.push(page);
      }
    }
    return complete;
  }

  /** Keeps what this build has new of the pages that are kept of an older one. Rejects if that is not possible now. */
  async update(isMetered: boolean): Promise<void> {
    const wanted = await this.#wanted();
    const kept = new Set(await this.#kept(wanted));
    const left = wanted.filter((file) => !kept.has(file)).values();
    if (isMetered && kept.size < wanted.length) {
      throw new Error('A new build is not fetched over a metered connection.');
    }
    const keepAll = async (): Promise<void> => {
      for (const file of left) {
        await this.#places.files.keep(file);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, keepAll));
  }

  /** Remembers the open tabs, which may still need files of the older build. */
  async rememberTabs(olderTabs: readonly string[]): Promise<void> {
    const { notes } = this.#places;
    const { visited } = await notes.read();
    if (Object.keys(visited).length > 0) {
      await notes.write({ visited, olderTabs });
    }
  }

  /** Deletes the files of older builds when no tab needs them. */
  async tidy(openTabs: readonly string[]): Promise<void> {
    const { notes, files } = this.#places;
    const { olderTabs } = await notes.read();
    if (olderTabs.length > 0 && !olderTabs.some((id) => openTabs.includes(id))) {
      await files.deleteAllBut(await this.#wanted());
      await this.rememberTabs([]);
    }
  }

  async deleteAll(): Promise<void> {
    const { files, docs, notes } = this.#places;
    await Promise.all([files.deleteAll(), docs.delete(), notes.delete()]);
  }

  /** The files of all visited pages. */
  async #wanted(): Promise<SiteFile[]> {
    const { site, notes } = this.#places;
    const { visited } = await notes.read();
    const all = Object.entries(visited).flatMap(([page, flavours]) =>
      flavours.flatMap((runs) => filesOf(site, page, runs)),
    );
    return [...new Set(all)];
  }

  async #kept(files: readonly SiteFile[]): Promise<SiteFile[]> {
    const has = await Promise.all(files.map((file) => this.#places.files.has(file)));
    return files.filter((_, i) => has[i]);
  }

  async #markVisited(page: string, runs: Flavour): Promise<void> {
    const { site, notes } = this.#places;
    const { visited, olderTabs } = await notes.read().catch(() => noNotes);
    const flavours = visited[page] ?? [];
    if (Object.hasOwn(site.pages, page) && !flavours.includes(runs)) {
      await notes.write({ visited: { ...visited, [page]: [...flavours, runs] }, olderTabs });
    }
  }
}

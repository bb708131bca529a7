// What of the site is kept, for the build that this service worker is from.

import type { KeepingFault, KeptPart, KeptState } from '../shared/site/worker-messages.ts';
import type { KeptFiles } from './kept-files.ts';
import { type NoteBook, type Notes, noNotes } from './notes.ts';
import { type Flavour, filesOf, type SiteFile, type SiteFiles, usedFilesOf } from './site-files.ts';
import type { UsedFiles } from './used-files.ts';
import type { VisitedDocs } from './visited-docs.ts';

/** An answer to a page that asks to keep files is given after this time, so that the page shows the progress. */
const batchMs = 1000;
const atOnce = 4;

interface Places {
  readonly site: SiteFiles;
  readonly files: KeptFiles;
  readonly used: UsedFiles;
  readonly notes: NoteBook;
  readonly docs: VisitedDocs;
}

/** A page in a browser that runs this flavour, with the addresses of what it has fetched. */
export interface Visit {
  readonly page: string;
  readonly runs: Flavour;
  readonly used: readonly string[];
}

const sizeOf = (files: readonly SiteFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

export class KeptSite {
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Keeps files of what was used of the page, or of all pages, for a short while. Asked again and again, it keeps all. */
  async keep(visit: Visit, all: boolean): Promise<KeptState> {
    const { site, used } = this.#places;
    const { page, runs } = visit;
    await this.#markVisited([page], runs);
    await used.note(used.at(visit.used), runs);
    const files = all
      ? this.#all(runs)
      : this.#wantedOf(page, runs, await this.#places.notes.read());
    const fault = await this.#keepSome(files);
    const state = { ...(await this.state(visit)), fault };
    if (all && state.allPages.kept === state.allPages.total) {
      await this.#markVisited(Object.keys(site.pages), runs);
      await this.#places.notes.update(() => ({ all: true }));
    }
    return state;
  }

  stop(): void {
    this.#places.files.stop();
  }

  async state({ page, runs, used: addresses }: Visit): Promise<KeptState> {
    const { site, docs, notes, used } = this.#places;
    const noted = await notes.read().catch(() => noNotes);
    const paths = used.at(addresses).map(({ path }) => path);
    const files = this.#wantedOf(page, runs, { ...noted, used: [...noted.used, ...paths] });
    return {
      page: await this.#partOf(files),
      allPages: await this.#partOf(this.#all(runs)),
      everything: sizeOf(await this.#kept(site.files)) + (await docs.bytes()),
      fault: null,
    };
  }

  /** Notes files that pages or workers fetch, unless nothing is to be kept. */
  async noteSeen(files: Iterable<SiteFile>): Promise<void> {
    const { notes, used } = this.#places;
    const { visited } = await notes.read();
    if (Object.keys(visited).length > 0) {
      await used.noteSeen(files);
    }
  }

  /** Whether the page was visited, and all that was used of it is kept. */
  async isComplete(page: string): Promise<boolean> {
    const notes = await this.#places.notes.read();
    for (const runs of notes.visited[page] ?? []) {
      const files = this.#wantedOf(page, runs, notes);
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
    await this.#places.notes.update(({ visited }) =>
      Object.keys(visited).length > 0 ? { olderTabs } : null,
    );
  }

  /** Deletes the files of older builds when no tab needs them. */
  async tidy(openTabs: readonly string[]): Promise<void> {
    const { notes, files } = this.#places;
    const { olderTabs } = await notes.read();
    if (olderTabs.length > 0 && !olderTabs.some((id) => openTabs.includes(id))) {
      const wanted = await this.#wanted();
      await files.deleteAllBut(wanted);
      // Paths of the older build are of no more use.
      await notes.update(() => ({ used: wanted.map(({ path }) => path) }));
      await this.rememberTabs([]);
    }
  }

  async deleteAll(): Promise<void> {
    const { files, docs, notes } = this.#places;
    await Promise.all([files.deleteAll(), docs.delete(), notes.delete()]);
  }

  /** Keeps files until the time of a batch is over. What is not here yet goes on coming. */
  async #keepSome(files: readonly SiteFile[]): Promise<KeepingFault | null> {
    const end = performance.now() + batchMs;
    const left = files.values();
    let fault: KeepingFault | null = null;
    const keepNext = async (): Promise<void> => {
      for (const file of left) {
        try {
          await this.#places.files.keep(file);
        } catch (error) {
          fault = isFull(error) ? 'no-room' : (fault ?? 'not-sent');
        }
        if (fault !== null || performance.now() > end) {
          return;
        }
      }
    };
    const timeIsOver = new Promise((resolve) => setTimeout(resolve, batchMs));
    await Promise.race([Promise.all(Array.from({ length: atOnce }, keepNext)), timeIsOver]);
    return fault;
  }

  #all(runs: Flavour): SiteFile[] {
    return this.#places.site.files.filter(({ flavour = runs }) => flavour === runs);
  }

  #wantedOf(page: string, runs: Flavour, { used, all }: Pick<Notes, 'used' | 'all'>): SiteFile[] {
    const { site } = this.#places;
    return all ? filesOf(site, page, runs) : usedFilesOf(site, page, used, runs);
  }

  /** The files of all visited pages. */
  async #wanted(): Promise<SiteFile[]> {
    const notes = await this.#places.notes.read();
    const all = Object.entries(notes.visited).flatMap(([page, flavours]) =>
      flavours.flatMap((runs) => (notes.all ? this.#all(runs) : this.#wantedOf(page, runs, notes))),
    );
    return [...new Set(all)];
  }

  async #partOf(files: readonly SiteFile[]): Promise<KeptPart> {
    return { kept: sizeOf(await this.#kept(files)), total: sizeOf(files) };
  }

  async #kept(files: readonly SiteFile[]): Promise<SiteFile[]> {
    const has = await Promise.all(files.map((file) => this.#places.files.has(file)));
    return files.filter((_, i) => has[i]);
  }

  async #markVisited(pages: readonly string[], runs: Flavour): Promise<void> {
    const { site, notes } = this.#places;
    await notes.update(({ visited }) => {
      const isNew = (page: string): boolean =>
        Object.hasOwn(site.pages, page) && !visited[page]?.includes(runs);
      const more = pages
        .filter(isNew)
        .map((page) => [page, [...(visited[page] ?? []), runs]] as const);
      return more.length > 0 ? { visited: { ...visited, ...Object.fromEntries(more) } } : null;
    });
  }
}

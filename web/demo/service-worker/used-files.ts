// Which files of the site were used. Pages say what they have fetched before this service worker saw their requests, and it sees the
// later ones. What workers have fetched before is told by the browser's own cache.

import type { NoteBook } from './notes.ts';
import { type Flavour, filesAt, type SiteFile, type SiteFiles } from './site-files.ts';

const isProgram = ({ path }: SiteFile): boolean => path.endsWith('.wasm');

export class UsedFiles {
  readonly #root: URL;
  readonly #site: SiteFiles;
  readonly #notes: NoteBook;
  readonly #fileAt: ReadonlyMap<string, SiteFile>;
  /** The scripts of workers whose later files were looked for. */
  readonly #looked = new Set<SiteFile>();

  constructor(root: URL, site: SiteFiles, notes: NoteBook) {
    this.#root = root;
    this.#site = site;
    this.#notes = notes;
    this.#fileAt = new Map(site.files.map((file) => [new URL(file.path, root).href, file]));
  }

  /** The files of the site at these addresses. Others are left out. */
  at(addresses: readonly string[]): SiteFile[] {
    return addresses
      .map((address) => this.#fileAt.get(address.replace(/[?#].*/s, '')))
      .filter((file) => file !== undefined);
  }

  /** Notes what a page has fetched, and what the workers among that have. */
  async note(files: readonly SiteFile[], runs: Flavour): Promise<void> {
    const { used } = await this.#notes.read();
    const all = new Set(files);
    for (const file of all) {
      for (const found of await this.#fetchedBy(file, runs, used)) {
        all.add(found);
      }
    }
    await this.#add(all);
  }

  /** Notes files whose requests came here. Those of the workers among them will come, too. */
  async noteSeen(files: Iterable<SiteFile>): Promise<void> {
    const all = [...files];
    for (const file of all) {
      this.#looked.add(file);
    }
    await this.#add(all);
  }

  async #add(files: Iterable<SiteFile>): Promise<void> {
    const paths = Array.from(files, ({ path }) => path);
    await this.#notes.update(({ used }) => {
      const both = new Set([...used, ...paths]);
      return both.size > used.length ? { used: [...both] } : null;
    });
  }

  async #fetchedBy(
    script: SiteFile,
    runs: Flavour,
    used: readonly string[],
  ): Promise<readonly SiteFile[]> {
    const { later = [] } = script;
    if (later.length === 0 || this.#looked.has(script)) {
      return [];
    }
    this.#looked.add(script);
    const mayBe = filesAt(this.#site, later, runs);
    const has = await Promise.all(mayBe.map((file) => this.#isInBrowserCache(file)));
    const found = mayBe.filter((_, i) => has[i]);
    const programs = mayBe.filter(isProgram);
    const isKnown = (file: SiteFile): boolean => found.includes(file) || used.includes(file.path);
    // A browser may have no cache of its own, but a worker needs a program.
    return programs.some(isKnown) ? found : [...found, ...programs];
  }

  async #isInBrowserCache({ path }: SiteFile): Promise<boolean> {
    try {
      const url = new URL(path, this.#root);
      const response = await fetch(url, { cache: 'only-if-cached', mode: 'same-origin' });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }
}

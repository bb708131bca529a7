// Saves the state of the page for the next visit, measures the saved data, and deletes it.

import { cache, vectorCaches } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import { TabLock } from '../../shared/tabs/tab-lock.ts';
import type { LoadedModel, SavedData, SearchState } from '../state/state.ts';
import { canWriteFiles } from './opfs.ts';
import { type Merged, mergeSaved } from './take-over.ts';
import { type WorkspaceContents, WorkspaceFiles } from './workspace-files.ts';

const storageUnavailable =
  'This browser does not let the page save data. A reload discards what you added.';
const savedByOtherTab =
  'Another tab saves its own documents. A reload of this tab discards your changes.';
const paused =
  'This page was opened by a link that names a model, so it saves nothing. A reload discards what you added.';
const lockName = 'ambry-workspace';
const storageFull =
  'The browser has no space left for this page. A reload discards what you added last. “Delete saved data” frees space.';

function problemOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError') {
    return storageFull;
  }
  // In private windows of Firefox, and where its user blocks all data of pages.
  if (name === 'SecurityError') {
    return storageUnavailable;
  }
  return `Saving for the next visit failed: ${error instanceof Error ? error.message : error}`;
}

export class SavedWorkspace {
  readonly #store: Store<SearchState>;
  readonly #files = new WorkspaceFiles();
  /** The saved data could not be read. */
  #unreadable = false;
  #paused = false;
  #problem = '';
  #shownProblem = '';
  #lock: TabLock | undefined;
  readonly #onTakeOver: () => void;
  /** The ids of all documents that this tab has had. */
  readonly #seen = new Set<string>();

  /** `onTakeOver` is called when the tab is closed that has saved until then. */
  constructor(store: Store<SearchState>, onTakeOver: () => void) {
    this.#store = store;
    this.#onTakeOver = onTakeOver;
    store.watch(['sources'], ({ sources }) => {
      for (const { id } of sources) {
        this.#seen.add(id);
      }
    });
  }

  /** Claims the saved data for this tab. If another tab has it, the page says so, and this tab waits for it. Returns
   *  whether this tab has it. */
  async claim(): Promise<boolean> {
    if (this.#paused || !canWriteFiles()) {
      return false;
    }
    this.#lock ??= new TabLock(lockName, (otherTab) => {
      this.#store.update({ otherTab });
      if (!otherTab) {
        this.#onTakeOver();
      }
    });
    return (await this.#lock.atOnce) || this.#lock.isHeld;
  }

  /** What the other tab has saved, together with the documents of this one. Null if it has nothing new. */
  async takeOver(): Promise<Merged | null> {
    const seen = new Set(this.#seen);
    return mergeSaved(this.#store.state, await this.read(), seen);
  }

  /** Whether the last attempt to save found that the browser keeps no data of this page at all. */
  get isUnavailable(): boolean {
    return this.#problem === storageUnavailable;
  }

  /** From now on nothing is saved, so that the workspace of the last visit stays. */
  pause(): void {
    this.#paused = true;
  }

  /** Reads the workspace of the last visit. Null if nothing is saved. */
  async read(): Promise<WorkspaceContents | null> {
    this.#unreadable = true;
    const contents = await this.#files.read();
    this.#unreadable = false;
    return contents;
  }

  /** Saves the present state of the page. A failure does not throw, but becomes the `problem`. */
  async save(): Promise<void> {
    const { loaded, sources, builtInNotes } = this.#store.state;
    // Unreadable data stays for another try, until there is something new to save.
    if (loaded === null || (this.#unreadable && loaded.builtIn && builtInNotes)) {
      return;
    }
    if (this.#paused) {
      this.#problem = builtInNotes ? '' : paused;
      await this.measure();
      return;
    }
    this.#unreadable = false;
    try {
      this.#problem = canWriteFiles()
        ? (await this.#files.save({ model: loaded, builtInNotes, sources }, () => this.claim()))
          ? ''
          : savedByOtherTab
        : storageUnavailable;
    } catch (error) {
      this.#problem = problemOf(error);
    }
    await this.measure();
  }

  /** Returns a new problem once, and an empty string otherwise. */
  takeProblem(): string {
    const problem = this.#problem === this.#shownProblem ? '' : this.#problem;
    this.#shownProblem = this.#problem;
    return problem;
  }

  /** Updates the sizes that the page shows. */
  async measure(): Promise<void> {
    this.#store.update({ saved: await this.#measured() });
  }

  async #measured(): Promise<SavedData | null> {
    const { documents, models } = await this.#files.sizes();
    const downloads = await cache.size();
    const vectors = (await vectorCaches.list()).reduce((sum, { bytes }) => sum + bytes, 0);
    const sizes = (
      [
        ['Documents', documents],
        ['Vectors', vectors],
        ['Models', models + downloads],
      ] as const
    ).filter(([, bytes]) => bytes > 0);
    return sizes.length === 0 && this.#problem === '' ? null : { sizes, problem: this.#problem };
  }

  /** Deletes all data that this page saved in the browser. The loaded model and documents stay in use. */
  async delete(): Promise<void> {
    const { loaded } = this.#store.state;
    if (loaded !== null && loaded.source instanceof Blob) {
      // The source may be a file that is deleted here. A dead worker needs it again, so it is copied to memory.
      const source = new Blob([await loaded.source.arrayBuffer()]);
      this.#store.update({ loaded: { ...loaded, source } satisfies LoadedModel });
    }
    await this.#files.delete();
    await cache.clear();
    for (const { name } of await vectorCaches.list()) {
      await vectorCaches.delete(name);
    }
    this.#problem = '';
    await this.measure();
  }
}

// Keeps what the page shows for the next visit, says what that takes, and forgets it.

import { cache, vectorCaches } from 'ambry';
import type { Store } from '../../shared/store.ts';
import type { Kept, LoadedModel, SearchState } from '../state.ts';
import { canWriteFiles } from './opfs.ts';
import { type Contents, Workspace } from './workspace-files.ts';

const kNoStorage = 'This browser lets a page keep nothing: a reload forgets what you added.';
const kOtherTab =
  'Another tab keeps its own documents here: a reload of this one forgets what you changed.';
const kFull =
  'The browser has no room left for this page: a reload forgets what you added last. “Forget everything kept here” makes room.';

function troubleOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'QuotaExceededError') {
    return kFull;
  }
  return `Nothing could be kept for the next visit: ${error instanceof Error ? error.message : error}`;
}

export class Keeper {
  readonly #store: Store<SearchState>;
  readonly #workspace = new Workspace();
  #unread = false;
  #trouble = '';
  #toldOf = '';

  constructor(store: Store<SearchState>) {
    this.#store = store;
  }

  /** What the last visit left; null for nothing. Throws for what cannot be read. */
  async read(): Promise<Contents | null> {
    this.#unread = true;
    const contents = await this.#workspace.read();
    this.#unread = false;
    return contents;
  }

  /** Keeps what the page shows now. That this cannot be done is no failure of what is done here. */
  async save(): Promise<void> {
    const { loaded, sources, builtInNotes } = this.#store.state;
    // What could not be read is left for another try, until there is something to keep instead.
    if (loaded === null || (this.#unread && loaded.builtIn && builtInNotes)) {
      return;
    }
    this.#unread = false;
    try {
      this.#trouble = canWriteFiles()
        ? (await this.#workspace.save({ model: loaded, builtInNotes, sources }))
          ? ''
          : kOtherTab
        : kNoStorage;
    } catch (error) {
      this.#trouble = troubleOf(error);
    }
    await this.measure();
  }

  /** Trouble that nobody was told of yet. */
  news(): string {
    const news = this.#trouble === this.#toldOf ? '' : this.#trouble;
    this.#toldOf = this.#trouble;
    return news;
  }

  async measure(): Promise<void> {
    this.#store.update({ kept: await this.#measured() });
  }

  async #measured(): Promise<Kept | null> {
    const { documents, models } = await this.#workspace.sizes();
    const downloads = await cache.size();
    const vectors = (await vectorCaches.list()).reduce((sum, { bytes }) => sum + bytes, 0);
    const sizes = (
      [
        ['Documents', documents],
        ['Vectors', vectors],
        ['Models', models + downloads],
      ] as const
    ).filter(([, bytes]) => bytes > 0);
    return sizes.length === 0 && this.#trouble === '' ? null : { sizes, trouble: this.#trouble };
  }

  /** Removes everything that this page and its models keep in this browser. What is loaded stays loaded. */
  async forget(): Promise<void> {
    const { loaded } = this.#store.state;
    if (loaded !== null && loaded.source instanceof Blob) {
      // It may lie in a file that is about to go, and is needed again should the model's worker die.
      const source = new Blob([await loaded.source.arrayBuffer()]);
      this.#store.update({ loaded: { ...loaded, source } satisfies LoadedModel });
    }
    await this.#workspace.forget();
    await cache.clear();
    for (const { name } of await vectorCaches.list()) {
      await vectorCaches.delete(name);
    }
    this.#trouble = '';
    await this.measure();
  }
}

// One open search for all elements of a page that have the same index. The code that searches loads with the first.
import type { SiteSearch } from '../client/site-search.ts';
import type { SearchPlace } from './open-search.ts';
import { MissingScript } from './problem.ts';

interface Shared {
  users: number;
  opening: Promise<SiteSearch> | undefined;
  closing: ReturnType<typeof setTimeout> | undefined;
}

/** Routers take an element away and bring another one. The model is not loaded again for that. */
const keptFor = 60_000;
const shared = new Map<string, Shared>();

/** The use of a search by one element. */
export class SearchUse {
  readonly #place: SearchPlace;
  /** As the attribute has them. */
  readonly #strings: string | null;
  readonly #entry: Shared;
  readonly #key: string;
  #isReleased = false;

  constructor(place: SearchPlace, strings: string | null) {
    this.#place = place;
    this.#strings = strings;
    this.#key = JSON.stringify([place.src, place.site]);
    this.#entry = shared.get(this.#key) ?? { users: 0, opening: undefined, closing: undefined };
    shared.set(this.#key, this.#entry);
    this.#entry.users++;
    clearTimeout(this.#entry.closing);
  }

  /** Opens the index, once. After a failure it tries again. Rejects with the error of `openSiteSearch`, with `BadValue` for
   *  an attribute, and with `MissingScript`. */
  async open(): Promise<SiteSearch> {
    const client = await import('./open-search.ts').catch((cause: unknown) => {
      throw new MissingScript('The script that searches cannot be loaded.', { cause });
    });
    client.checkAttributes(this.#place, this.#strings);
    const entry = this.#entry;
    if (this.#isReleased) {
      throw new DOMException('The element is gone.', 'AbortError');
    }
    entry.opening ??= client.openSearch(this.#place).catch((error: unknown) => {
      entry.opening = undefined;
      throw error;
    });
    return entry.opening;
  }

  /** The last element ends the search after a while. */
  release(): void {
    if (this.#isReleased) {
      return;
    }
    this.#isReleased = true;
    const entry = this.#entry;
    entry.users--;
    if (entry.users > 0) {
      return;
    }
    entry.closing = setTimeout(() => {
      shared.delete(this.#key);
      entry.opening?.then((search) => search.dispose()).catch(() => {});
    }, keptFor);
  }
}

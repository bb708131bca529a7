// What earlier answers had, for clients that refer to it by an id in place of sending it again. It is held in memory, and the
// oldest goes first.

/** The size of all that is held, as JSON. */
const mostCharacters = 16 * 1024 * 1024;
const mostEntries = 4096;

export class StoredResponses {
  readonly #entries = new Map<string, { readonly value: unknown; readonly size: number }>();
  #size = 0;

  get(id: string): unknown {
    return this.#entries.get(id)?.value;
  }

  set(id: string, value: unknown): void {
    const size = JSON.stringify(value).length;
    if (size > mostCharacters / 4) {
      return;
    }
    this.#delete(id);
    this.#entries.set(id, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= mostCharacters && this.#entries.size <= mostEntries) {
        return;
      }
      this.#delete(oldest);
    }
  }

  #delete(id: string): void {
    this.#size -= this.#entries.get(id)?.size ?? 0;
    this.#entries.delete(id);
  }
}

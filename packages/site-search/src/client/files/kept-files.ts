// Keeps what was read of an index, so that a search fetches nothing twice. What was not used for the longest time goes
// when there is too much.

const mostBytes = 24 * 1024 * 1024;

interface Kept {
  readonly value: Promise<unknown>;
  bytes: number;
}

export class KeptFiles {
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /** `read` resolves to the value and its size. A failure is not kept. */
  get<T>(
    path: string,
    read: () => Promise<{ readonly value: T; readonly bytes: number }>,
  ): Promise<T> {
    const known = this.#kept.get(path);
    if (known) {
      this.#kept.delete(path);
      this.#kept.set(path, known);
      return known.value as Promise<T>;
    }
    const reading = read();
    const kept: Kept = { value: reading.then(({ value }) => value), bytes: 0 };
    this.#kept.set(path, kept);
    reading.then(
      ({ bytes }) => this.#add(path, kept, bytes),
      () => this.#kept.delete(path),
    );
    return kept.value as Promise<T>;
  }

  #add(path: string, kept: Kept, bytes: number): void {
    if (this.#kept.get(path) !== kept) {
      return;
    }
    kept.bytes = bytes;
    this.#bytes += bytes;
    for (const [oldest, { bytes: size }] of this.#kept) {
      if (this.#bytes <= mostBytes || oldest === path) {
        return;
      }
      this.#kept.delete(oldest);
      this.#bytes -= size;
    }
  }
}

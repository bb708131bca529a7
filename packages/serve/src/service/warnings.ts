// Warnings of the log. A client that sends a field with each request is told of once.

/** A client that makes names up does not fill the log or the memory. */
const mostWarnings = 100;

export class Warnings {
  readonly #told = new Set<string>();
  readonly #tell: (message: string) => void;

  constructor(tell: (message: string) => void = () => {}) {
    this.#tell = tell;
  }

  unknownFields(route: string, fields: readonly string[]): void {
    // Places in lists are all alike.
    const names = new Set(fields.map((field) => field.replace(/\[\d+\]/g, '[]')));
    const fresh = [...names].filter((name) => !this.#told.has(`${route} ${name}`));
    if (fresh.length === 0 || this.#told.size >= mostWarnings) {
      return;
    }
    for (const name of fresh) {
      this.#told.add(`${route} ${name}`);
    }
    const list = fresh.map((name) => JSON.stringify(name.slice(0, 100))).join(', ');
    this.#tell(`${route} ignores fields that it does not know: ${list}.`);
  }
}

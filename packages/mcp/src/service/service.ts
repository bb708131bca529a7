// What all connections share: the indexes, the classifiers, and how many calls run.
import { AmbryError, type SearchIndex, type TextClassifier } from 'ambry';
import { FileReader } from '../files/file-reader.ts';
import type { Entry, McpSettings } from '../options/mcp-options.ts';
import { Opened } from './opened.ts';

export class Service {
  readonly settings: McpSettings;
  readonly indexes: ReadonlyMap<string, Opened<SearchIndex>>;
  readonly classifiers: ReadonlyMap<string, Opened<TextClassifier>>;
  readonly files: FileReader | undefined;
  #running = 0;

  constructor(settings: McpSettings) {
    this.settings = settings;
    this.indexes = this.#openedOf(settings.indexes);
    this.classifiers = this.#openedOf(settings.classifiers);
    this.files = settings.files && new FileReader(settings.files);
    const isEmpty = this.indexes.size === 0 && this.classifiers.size === 0 && !this.files;
    if (isEmpty) {
      const message = 'There is nothing to offer: give indexes, classifiers or files.';
      throw new AmbryError('BadValue', message, { path: 'options' });
    }
  }

  /** Opens all, so that the first call need not wait. */
  begin(): void {
    for (const opened of [...this.indexes.values(), ...this.classifiers.values()]) {
      opened.begin();
    }
  }

  noteError(error: unknown, name?: string): void {
    this.settings.onError?.(error, name);
  }

  /** Runs a call, unless there are too many. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { maxCalls } = this.settings;
    if (this.#running >= maxCalls) {
      const message = `${maxCalls} calls are running. Try again later.`;
      throw new AmbryError('LimitExceeded', message);
    }
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
    }
  }

  async dispose(): Promise<void> {
    const all = [...this.indexes.values(), ...this.classifiers.values()];
    await Promise.all(all.map((opened) => opened.dispose()));
  }

  #openedOf<T extends { dispose(): Promise<void> }>(
    entries: Readonly<Record<string, Entry<T>>>,
  ): Map<string, Opened<T>> {
    return new Map(
      Object.entries(entries).map(([name, entry]) => [
        name,
        new Opened(entry, (error) => this.noteError(error, name)),
      ]),
    );
  }
}

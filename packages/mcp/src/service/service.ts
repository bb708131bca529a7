// What all connections share: the indexes, the classifiers of texts and of tokens, and how many calls run.
import { AmbryError, type SearchIndex, type TextClassifier, type TokenClassifier } from 'ambry';
import { FileReader } from '../files/file-reader.ts';
import type { Entry, McpSettings } from '../options/mcp-options.ts';
import { Opened } from './opened.ts';

export class Service {
  readonly settings: McpSettings;
  readonly indexes: ReadonlyMap<string, Opened<SearchIndex>>;
  readonly classifiers: ReadonlyMap<string, Opened<TextClassifier>>;
  readonly taggers: ReadonlyMap<string, Opened<TokenClassifier>>;
  readonly files: FileReader | undefined;
  #running = 0;

  constructor(settings: McpSettings) {
    this.settings = settings;
    this.indexes = this.#openedOf(settings.indexes);
    this.classifiers = this.#openedOf(settings.classifiers);
    this.taggers = this.#openedOf(settings.taggers);
    this.files = settings.files && new FileReader(settings.files);
    if (this.#all.length === 0 && !this.files) {
      const message = 'There is nothing to offer: give indexes, classifiers, taggers or files.';
      throw new AmbryError('BadValue', message, { path: 'options' });
    }
  }

  /** Opens all, so that the first call need not wait. */
  begin(): void {
    for (const opened of this.#all) {
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
    await Promise.all(this.#all.map((opened) => opened.dispose()));
  }

  get #all(): readonly Opened<SearchIndex | TextClassifier | TokenClassifier>[] {
    return [...this.indexes.values(), ...this.classifiers.values(), ...this.taggers.values()];
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

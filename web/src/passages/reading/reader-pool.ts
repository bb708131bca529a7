// Keeps the workers that read documents. There are a few at most, and an idle one ends soon.
import { DocumentReader } from './document-reader.ts';
import type { ReaderName, ReaderPort } from './protocol.ts';

/** Documents that are read at the same time. Each may take ten times its size. */
const maxReaders = 4;
/** A worker that has nothing to do ends after so long. */
export const idleMs = 10_000;

/** `path` is that of the document, for errors. */
export type StartReader = (name: ReaderName, path: string) => ReaderPort;

export class ReaderPool {
  readonly #start: StartReader;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #idle:
    | { readonly reader: DocumentReader; readonly timer: ReturnType<typeof setTimeout> }
    | undefined;

  constructor(start: StartReader) {
    this.#start = start;
  }

  /** Calls `use` with a worker that is free. */
  async with<T>(
    { name, path }: { readonly name: ReaderName; readonly path: string },
    signal: AbortSignal | undefined,
    use: (reader: DocumentReader) => Promise<T>,
  ): Promise<T> {
    await this.#turn(signal);
    this.#busy++;
    try {
      const reader = this.#take(name, path);
      try {
        return await use(reader);
      } finally {
        this.#keep(name, reader);
      }
    } finally {
      this.#busy--;
      this.#waiting.shift()?.();
    }
  }

  /** Waits until one of the workers is free. */
  async #turn(signal: AbortSignal | undefined): Promise<void> {
    while (this.#busy >= maxReaders) {
      await new Promise<void>((resolve, reject) => {
        const stop = () => {
          this.#waiting.splice(this.#waiting.indexOf(begin), 1);
          reject(signal?.reason);
        };
        const begin = () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        };
        this.#waiting.push(begin);
        signal?.addEventListener('abort', stop, { once: true });
      });
    }
  }

  #take(name: ReaderName, path: string): DocumentReader {
    const kept = name === 'documents' ? this.#idle : undefined;
    if (!kept) {
      return new DocumentReader(this.#start(name, path));
    }
    clearTimeout(kept.timer);
    this.#idle = undefined;
    return kept.reader;
  }

  /** PDF.js is ended after each document: it gives back its memory only then. */
  #keep(name: ReaderName, reader: DocumentReader): void {
    if (reader.isEnded) {
      return;
    }
    if (name === 'pdf' || this.#idle) {
      reader.end();
      return;
    }
    const timer = setTimeout(() => {
      this.#idle = undefined;
      reader.end();
    }, idleMs);
    // In Node, a timer would keep the process alive.
    (timer as { unref?: () => void }).unref?.();
    this.#idle = { reader, timer };
  }
}

// Something that is opened when it is needed first, once for all who need it, and again after a crash.
import { AmbryError, type Progress } from 'ambry';
import type { Entry, Held, OpenCall } from '../options/mcp-options.ts';

type OnProgress = (progress: Progress) => void;

/** What a call says of itself: when it ends, and who waits for it. */
export interface Waiting {
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

export class Opened<T extends { dispose(): Promise<void> }> {
  readonly #entry: Entry<T>;
  readonly #onError: (error: unknown) => void;
  readonly #end = new AbortController();
  readonly #listeners = new Set<OnProgress>();
  #opening: Promise<Held<T>> | undefined;

  constructor(entry: Entry<T>, onError: (error: unknown) => void) {
    this.#entry = entry;
    this.#onError = onError;
  }

  /** Begins to open it. A failure is told to `onError`. */
  begin(): void {
    this.#open().catch(() => {});
  }

  /** Works with it when it is open. After a failure the next call tries to open it again. */
  async use<R>({ signal, onProgress }: Waiting, work: (value: T) => Promise<R>): Promise<R> {
    this.#listeners.add(onProgress);
    const opening = this.#open();
    try {
      const { value } = await unlessAborted(opening, signal);
      return await work(value);
    } catch (error) {
      if (error instanceof AmbryError && error.code === 'Crashed') {
        this.#drop(opening);
      }
      throw error;
    } finally {
      this.#listeners.delete(onProgress);
    }
  }

  /** What a function opened is disposed of. */
  async dispose(): Promise<void> {
    this.#end.abort();
    const held = await this.#opening?.catch(() => undefined);
    await held?.dispose();
  }

  #open(): Promise<Held<T>> {
    if (this.#end.signal.aborted) {
      return Promise.reject(new AmbryError('Cancelled', 'The server is stopping.'));
    }
    if (!this.#opening) {
      const opening = this.#held();
      this.#opening = opening;
      opening.catch((error: unknown) => {
        this.#opening = undefined;
        if (!this.#end.signal.aborted) {
          this.#onError(error);
        }
      });
    }
    return this.#opening;
  }

  async #held(): Promise<Held<T>> {
    if (typeof this.#entry !== 'function') {
      return { value: this.#entry, dispose: async () => {} };
    }
    const call: OpenCall = {
      signal: this.#end.signal,
      onProgress: (progress) => {
        for (const listener of this.#listeners) {
          listener(progress);
        }
      },
    };
    const given = await this.#entry(call);
    return 'value' in given ? given : { value: given, dispose: () => given.dispose() };
  }

  /** A worker that crashed is lost. What the caller opened stays. */
  #drop(opening: Promise<Held<T>>): void {
    if (typeof this.#entry !== 'function' || this.#opening !== opening) {
      return;
    }
    this.#opening = undefined;
    void opening.then((held) => held.dispose()).catch(() => {});
  }
}

/** The caller no longer waits after an abort. Others may. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

// The cache of `pull`: it waits for other jobs that have a file.
import { setTimeout as sleep } from 'node:timers/promises';
import { DirectoryStore } from '../../sources/cache/node-directory.ts';
import type { Release } from '../../sources/cache/store.ts';

const pauseMs = 200;
/** How long jobs are waited for that only read the file. They may run for days; one that stores it comes to an end. */
const readersMs = 30_000;

export class WaitingStore extends DirectoryStore {
  readonly #signal: AbortSignal;
  readonly #onWait: () => void;
  readonly #readersMs: number;

  /** `onWait` is called before each pause. */
  constructor(
    directory: string,
    signal: AbortSignal,
    onWait: () => void,
    readersWaitMs: number = readersMs,
  ) {
    super(directory);
    this.#signal = signal;
    this.#onWait = onWait;
    this.#readersMs = readersWaitMs;
  }

  override async lock(key: string, mode: 'shared' | 'exclusive'): Promise<Release | undefined> {
    for (let waited = 0; ; ) {
      this.#signal.throwIfAborted();
      const release = await super.lock(key, mode);
      if (release) {
        return release;
      }
      const reader = await super.lock(key, 'shared');
      await reader?.();
      // Where others read, nobody writes.
      waited = reader ? waited + pauseMs : 0;
      if (waited > this.#readersMs) {
        return undefined;
      }
      this.#onWait();
      await sleep(pauseMs, undefined, { signal: this.#signal });
    }
  }
}

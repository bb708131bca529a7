import type { Progress } from './types.ts';

const reportEveryMs = 50;

/** Lets at most one report through in 50 ms, none that goes back within its phase, and always the last one before
 *  a new phase and of all, and one with a new note. */
export class Meter {
  readonly #send: (progress: Progress) => void;
  readonly #loaded = new Map<Progress['phase'], number>();
  #sentAt = Number.NEGATIVE_INFINITY;
  #waiting: Progress | undefined;
  #note: string | undefined;

  constructor(send: (progress: Progress) => void) {
    this.#send = send;
  }

  readonly report = (progress: Progress): void => {
    const { phase, note } = progress;
    const isNews = note !== undefined && note !== this.#note;
    this.#note = note ?? this.#note;
    if (isNews || !this.#loaded.has(phase)) {
      this.flush();
    }
    const before = this.#loaded.get(phase) ?? 0;
    const loaded = Math.max(progress.loaded, before);
    if (progress.loaded < before && !isNews) {
      return;
    }
    this.#loaded.set(phase, loaded);
    this.#waiting = { ...progress, loaded };
    if (isNews || performance.now() - this.#sentAt >= reportEveryMs) {
      this.flush();
    }
  };

  flush(): void {
    if (!this.#waiting) {
      return;
    }
    this.#send(this.#waiting);
    this.#waiting = undefined;
    this.#sentAt = performance.now();
  }
}

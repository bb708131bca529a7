import type { Progress } from '../types.ts';

const kReportEveryMs = 50;

/** Lets at most one report through in 50 ms, none that goes back, and always the last one. */
export class Meter {
  readonly #send: (progress: Progress) => void;
  #loaded = -1;
  #sentAt = 0;
  #waiting: Progress | undefined;

  constructor(send: (progress: Progress) => void) {
    this.#send = send;
  }

  readonly report = (progress: Progress): void => {
    if (progress.loaded < this.#loaded) return;
    this.#loaded = progress.loaded;
    this.#waiting = progress;
    if (performance.now() - this.#sentAt >= kReportEveryMs) this.flush();
  };

  flush(): void {
    if (!this.#waiting) return;
    this.#send(this.#waiting);
    this.#waiting = undefined;
    this.#sentAt = performance.now();
  }
}

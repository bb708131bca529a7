// Long work on the page's own thread takes short rests, so that typing goes on and aborts are heard.

/** Milliseconds of work at a stretch. */
const kStretch = 12;

export class Pace {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Throws what the signal was aborted with. */
  async rest(): Promise<void> {
    if (performance.now() - this.#since > kStretch) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      this.#since = performance.now();
    }
    this.#signal?.throwIfAborted();
  }
}

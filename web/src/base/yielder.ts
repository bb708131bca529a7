// Long work on the page's own thread yields now and then, so that the page responds and aborts take effect.

/** Milliseconds of work between two yields. */
const maxWorkMs = 12;

export class Yielder {
  readonly #signal: AbortSignal | undefined;
  #lastYield = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Yields to the event loop if it is time to. Throws the signal's reason after an abort. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#lastYield > maxWorkMs) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      this.#lastYield = performance.now();
    }
    this.#signal?.throwIfAborted();
  }
}

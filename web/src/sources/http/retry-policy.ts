// How often, and after how long, a request that failed is made again: exponential back-off with
// jitter, counted anew whenever an answer was whole or the file got further than ever before.

export interface PatienceOptions {
  /** A connection that gives nothing for so long is taken for dead; 30 s when absent. */
  readonly stallMs?: number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

/** In a row, without a new byte. */
const attempts = 4;
const firstWaitMs = 500;
const longestWaitMs = 15_000;

export class RetryPolicy {
  readonly stallMs: number;
  readonly #options: PatienceOptions;
  #failures = 0;
  #furthest = 0;

  constructor(options: PatienceOptions = {}) {
    this.stallMs = options.stallMs ?? 30_000;
    this.#options = options;
  }

  /** The bytes `[begin, end)` of the file came. */
  reached(begin: number, end: number): void {
    if (begin > this.#furthest || end <= this.#furthest) return;
    this.#furthest = end;
    this.#failures = 0;
  }

  /** Everything that was asked for came. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** Waits before the next attempt; throws `error` when there have been enough. */
  async wait(error: unknown, signal: AbortSignal, atLeastMs = 0): Promise<void> {
    const { sleep = sleepFor, random = Math.random } = this.#options;
    if (this.#failures >= attempts) throw error;
    const wanted = firstWaitMs * 2 ** this.#failures++ * (0.5 + random() / 2);
    await sleep(Math.min(Math.max(wanted, atLeastMs), longestWaitMs), signal);
  }
}

function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

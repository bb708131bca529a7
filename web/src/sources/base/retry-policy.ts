// When a failed request is made again: exponential back-off with jitter. The count starts anew after a complete
// response and after new bytes.

import { fetchDefaults } from './types.ts';

interface PatienceOptions {
  /** A connection without data for this long counts as broken. */
  readonly stallMs?: number | undefined;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

/** Failures in a row without a new byte. */
const attempts = 4;
/** Timers take no more. */
const longestTimer = 2 ** 31 - 1;
const firstWaitMs = 500;
const longestWaitMs = 15_000;

export class RetryPolicy {
  readonly stallMs: number;
  readonly #options: PatienceOptions;
  #failures = 0;
  #furthest = 0;

  constructor(options: PatienceOptions = {}) {
    this.stallMs = Math.min(options.stallMs ?? fetchDefaults.stallTimeout, longestTimer);
    this.#options = options;
  }

  /** The bytes `[begin, end)` of the file arrived. */
  reached(begin: number, end: number): void {
    if (begin > this.#furthest || end <= this.#furthest) {
      return;
    }
    this.#furthest = end;
    this.#failures = 0;
  }

  /** All requested bytes arrived. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** Waits before the next attempt. Throws `error` after `most` failures. */
  async wait(error: unknown, signal: AbortSignal, atLeastMs = 0, most = attempts): Promise<void> {
    const { sleep = sleepFor, random = Math.random } = this.#options;
    if (this.#failures >= most) {
      throw error;
    }
    const wanted = firstWaitMs * 2 ** this.#failures++ * (0.5 + random() / 2);
    await sleep(Math.min(Math.max(wanted, atLeastMs), longestWaitMs), signal);
  }
}

function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted) {
        reject(signal.reason);
      } else {
        resolve();
      }
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) {
      end();
    }
  });
}

// Who may use a model: one request at a time, in the order in which they came.
import { ApiError } from './api-error.ts';

interface Waiting {
  readonly begin: () => void;
  readonly refuse: (reason: unknown) => void;
}

export class Turns {
  readonly #maxWaiting: number;
  readonly #waiting = new Set<Waiting>();
  #isTaken = false;
  #isClosed = false;

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get running(): number {
    return this.#isTaken ? 1 : 0;
  }

  /** Waits for the turn and returns what ends it. Rejects with an `ApiError` if too many wait, or by the signal. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#isClosed) {
      throw stopping();
    }
    if (this.#isTaken) {
      await this.#wait(signal);
    }
    this.#isTaken = true;
    let isOver = false;
    return () => {
      if (isOver) {
        return;
      }
      isOver = true;
      this.#next();
    };
  }

  /** Refuses those that wait, and all that come. */
  close(): void {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting) {
      refuse(stopping());
    }
  }

  #next(): void {
    const [first] = this.#waiting;
    // The turn stays taken, so that nobody comes in between.
    if (first) {
      first.begin();
    } else {
      this.#isTaken = false;
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#maxWaiting) {
      const message = `${this.#waiting.size} requests wait for this model already. Try again later.`;
      throw new ApiError(429, message, { code: 'queue_full', retryAfter: 1 + this.#waiting.size });
    }
    let end = () => {};
    await new Promise<void>((resolve, reject) => {
      // An entry leaves the list at once, so that no turn is given to one that has gone.
      const settle = (how: () => void) => {
        this.#waiting.delete(entry);
        how();
      };
      const abort = () => entry.refuse(signal.reason);
      const entry: Waiting = {
        begin: () => settle(resolve),
        refuse: (reason) => settle(() => reject(reason)),
      };
      this.#waiting.add(entry);
      signal.addEventListener('abort', abort, { once: true });
      end = () => signal.removeEventListener('abort', abort);
    }).finally(() => end());
  }
}

export function stopping(): ApiError {
  return new ApiError(503, 'The server is stopping.', { code: 'stopping', retryAfter: 5 });
}

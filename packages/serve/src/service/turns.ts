// Who may use a model: one piece of work at a time. A long request works in pieces and takes a turn for each, so that others
// come in between. The smallest request comes first, and each fourth turn is for the one that has waited longest, so that
// small requests do not keep a large one from its end.
import { ApiError } from 'ambry-openai/shared';

export interface TurnRequest {
  /** How much the request is, such as its characters. */
  readonly size?: number;
  /** The request has had a turn, and is not refused because of the others. */
  readonly goesOn?: boolean;
}

interface Waiting {
  readonly size: number;
  readonly begin: () => void;
  readonly refuse: (reason: unknown) => void;
}

const fairEvery = 4;
/** Seconds. */
const retryAfter = 2;

export class Turns {
  readonly #maxWaiting: number;
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  #isTaken = false;
  #isClosed = false;
  #given = 0;

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
  async take(signal: AbortSignal, request: TurnRequest = {}): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#isClosed) {
      throw stopping();
    }
    if (this.#isTaken) {
      await this.#wait(signal, request);
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
    const first = this.#chosen();
    // The turn stays taken, so that nobody comes in between.
    if (first) {
      this.#given++;
      first.begin();
    } else {
      this.#isTaken = false;
    }
  }

  #chosen(): Waiting | undefined {
    const [oldest, ...others] = this.#waiting;
    if (!oldest || this.#given % fairEvery === fairEvery - 1) {
      return oldest;
    }
    return others.reduce((best, next) => (next.size < best.size ? next : best), oldest);
  }

  async #wait(signal: AbortSignal, { size = 0, goesOn = false }: TurnRequest): Promise<void> {
    if (!goesOn && this.#waiting.size >= this.#maxWaiting) {
      const message = `${this.#waiting.size} requests wait for this model already. Try again later.`;
      throw new ApiError(429, message, { code: 'queue_full', retryAfter });
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
        size,
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

// A lock on saved data. One tab holds it, until it is closed or lets go. The others wait and take over.

/** After a reload, the old page may hold a lock for a moment. */
const patienceMs = 1000;

const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

export class TabLock {
  /** Whether this tab has got the lock at once. False also where a browser refuses locks. */
  readonly atOnce: Promise<boolean>;
  readonly #waiting = new AbortController();
  #letGo: () => void = () => undefined;
  #isHeld = false;

  /** `changed` is told when it turns out that another tab has the lock, and when this tab takes over. */
  constructor(name: string, changed: (otherHasIt: boolean) => void) {
    const granted = this.#request(name);
    this.atOnce = this.#watch(granted, changed).catch(() => false);
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Lets the next tab have it. */
  release(): void {
    this.#isHeld = false;
    this.#waiting.abort();
    this.#letGo();
  }

  /** Resolves when the lock is held. */
  #request(name: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const hold = (): Promise<void> => {
        this.#isHeld = !this.#waiting.signal.aborted;
        resolve();
        return this.#isHeld
          ? new Promise((letGo) => {
              this.#letGo = letGo;
            })
          : Promise.resolve();
      };
      // Pages without a secure connection have no locks.
      const { locks } = navigator as { locks?: LockManager };
      const request = locks?.request(name, { signal: this.#waiting.signal }, hold);
      (request ?? Promise.reject(new Error('no locks'))).catch(reject);
    });
  }

  async #watch(granted: Promise<void>, changed: (otherHasIt: boolean) => void): Promise<boolean> {
    await Promise.race([granted, later(patienceMs)]);
    if (this.#isHeld || this.#waiting.signal.aborted) {
      return this.#isHeld;
    }
    changed(true);
    const takeOver = (): void => {
      if (this.#isHeld) {
        changed(false);
      }
    };
    granted.then(takeOver, () => undefined);
    return false;
  }
}

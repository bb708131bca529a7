// What the code prints, collected so that the page is not asked to show every line by itself.

/** Code may print without an end. */
export const maxOutput = 200_000;
const interval = 50;

export class Printer {
  readonly #post: (text: string) => void;
  #waiting = '';
  #printed = 0;
  #last = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(post: (text: string) => void) {
    this.#post = post;
  }

  /** Throws a RangeError where the code has printed too much. */
  print(line: string): void {
    this.#printed += line.length + 1;
    if (this.#printed > maxOutput) {
      throw new RangeError(`The code printed more than ${maxOutput} characters, and was stopped.`);
    }
    this.#waiting += `${line}\n`;
    // In a loop that never waits, no timer is called.
    if (performance.now() - this.#last > interval) {
      this.flush();
    } else {
      this.#timer ??= setTimeout(() => this.flush(), interval);
    }
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = performance.now();
    if (this.#waiting !== '') {
      this.#post(this.#waiting);
    }
    this.#waiting = '';
  }
}

// Ends the reading of a document that never ends, such as a PDF made to keep PDF.js busy.
import { AmbryError } from '../../base/errors.ts';

/** A step is a page of a PDF, or any other document as a whole. These are about a hundred times what the slowest
 *  ordinary documents take. */
const msOfStep = 30_000;
const msOfByte = 4 / 1000;

export class StepTimeout {
  readonly #path: string;
  readonly #ms: number;
  readonly #onEnd: (error: AmbryError) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #step: string | undefined;

  constructor(path: string, bytes: number, onEnd: (error: AmbryError) => void) {
    this.#path = path;
    this.#ms = msOfStep + (/\.pdf$/i.test(path) ? 0 : bytes * msOfByte);
    this.#onEnd = onEnd;
  }

  /** Starts again. `step` says what is read now. */
  start(step: string | undefined = this.#step): void {
    this.stop();
    this.#step = step;
    this.#timer = setTimeout(() => this.#onEnd(this.#error()), this.#ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #error(): AmbryError {
    const place = this.#step === undefined ? '' : `, ${this.#step},`;
    const seconds = Math.round(this.#ms / 1000);
    const message = `${this.#path}${place} took longer than ${seconds} s to read. Save it again with another program, or leave it out.`;
    return new AmbryError('LimitExceeded', message, { path: this.#step });
  }
}

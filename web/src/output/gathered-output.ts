// Writes small blocks together: each write has a cost of its own.
import type { Output } from './types.ts';

const gatheredBytes = 1 << 20;

export class GatheredOutput {
  readonly #output: Output;
  readonly #gathered = new Uint8Array(gatheredBytes);
  #size = 0;
  /** Where the gathered bytes begin in the target. */
  #at = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** The caller may change the bytes afterwards. */
  async write(offset: number, bytes: Uint8Array): Promise<void> {
    if (offset !== this.#at + this.#size || bytes.length > gatheredBytes - this.#size) {
      await this.flush();
      this.#at = offset;
    }
    if (bytes.length > gatheredBytes) {
      this.#at += bytes.length;
      await this.#output.write(offset, new Uint8Array(bytes));
      return;
    }
    this.#gathered.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  async flush(): Promise<void> {
    if (this.#size > 0) {
      const bytes = this.#gathered.subarray(0, this.#size);
      this.#size = 0;
      await this.#output.write(this.#at, bytes);
      this.#at += bytes.length;
    }
  }
}

// The vectors of a site while it is built, in blocks, because their number is known only at the end.

const blockRows = 4096;

export class RowStore {
  readonly #dim: number;
  readonly #blocks: Float32Array[] = [];
  /** The part of each vector. */
  readonly #parts: number[] = [];

  constructor(dim: number) {
    this.#dim = dim;
  }

  get size(): number {
    return this.#parts.length;
  }

  add(part: number, vector: Float32Array): void {
    const place = this.#parts.length % blockRows;
    if (place === 0) {
      this.#blocks.push(new Float32Array(blockRows * this.#dim));
    }
    this.#blocks.at(-1)?.set(vector, place * this.#dim);
    this.#parts.push(part);
  }

  rowAt(i: number): number {
    return this.#parts[i] as number;
  }

  /** All vectors, one after another. */
  rows(): Float32Array {
    const all = new Float32Array(this.size * this.#dim);
    this.#blocks.forEach((block, i) => {
      const at = i * block.length;
      all.set(block.subarray(0, Math.min(block.length, all.length - at)), at);
    });
    return all;
  }
}

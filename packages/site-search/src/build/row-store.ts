// The vectors of a site while it is built, in blocks, because their number is known only at the end.

const blockRows = 4096;

export class RowStore {
  readonly #dim: number;
  readonly #blocks: Float32Array[] = [];
  /** The passage of each vector. */
  readonly #passages: number[] = [];

  constructor(dim: number) {
    this.#dim = dim;
  }

  get size(): number {
    return this.#passages.length;
  }

  add(passage: number, vector: Float32Array): void {
    const place = this.#passages.length % blockRows;
    if (place === 0) this.#blocks.push(new Float32Array(blockRows * this.#dim));
    this.#blocks.at(-1)?.set(vector, place * this.#dim);
    this.#passages.push(passage);
  }

  rowAt(i: number): number {
    return this.#passages[i] as number;
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

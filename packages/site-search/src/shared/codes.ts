// Vectors as codes of 1 to 8 bits. A vector has length 1, so its values are near 1 / √dim, and one width of the steps fits
// all. A factor of each vector makes the product with the vector itself exact, which corrects most of what the steps lose.

export const codeBits = [1, 2, 4, 8] as const;
export type CodeBits = (typeof codeBits)[number];

interface Steps {
  /** In units of 1 / √dim. These lose least for values that are distributed normally. */
  readonly width: number;
  /** Factors are stored as bytes: from 0.75 in so many steps for each 1. Short codes have larger factors. */
  readonly factor: number;
}

const steps: Readonly<Record<CodeBits, Steps>> = {
  1: { width: 1.596, factor: 96 },
  2: { width: 0.9957, factor: 192 },
  4: { width: 0.335, factor: 256 },
  8: { width: 0.0308, factor: 256 },
};
const leastFactor = 0.75;

export interface CodedVector {
  readonly factor: number;
  readonly codes: Uint8Array;
}

/** Bytes of the codes of a vector. Short codes share bytes, the first in the lowest bits. */
export const codeBytes = (dim: number, bits: CodeBits): number => Math.ceil((dim * bits) / 8);

export function encodeVector(vector: Float32Array, bits: CodeBits): CodedVector {
  const levels = 2 ** bits;
  const perByte = 8 / bits;
  const width = steps[bits].width / Math.sqrt(vector.length);
  const codes = new Uint8Array(codeBytes(vector.length, bits));
  let product = 0;
  vector.forEach((value, i) => {
    const code = Math.min(levels - 1, Math.max(0, Math.floor(value / width) + levels / 2));
    product += value * (code - levels / 2 + 0.5) * width;
    const place = Math.floor(i / perByte);
    codes[place] = (codes[place] as number) | (code << (bits * (i % perByte)));
  });
  const exact = product > 0 ? 1 / product : 1;
  const factor = Math.round((exact - leastFactor) * steps[bits].factor);
  return { factor: Math.min(255, Math.max(0, factor)), codes };
}

/** Products of one query with many coded vectors. */
export class CodedProduct {
  readonly #query: Float32Array;
  readonly #bits: CodeBits;
  readonly #width: number;
  /** What the middle of the codes adds to every product. */
  readonly #offset: number;

  constructor(query: Float32Array, bits: CodeBits) {
    this.#query = query;
    this.#bits = bits;
    this.#width = steps[bits].width / Math.sqrt(query.length);
    this.#offset = (2 ** (bits - 1) - 0.5) * query.reduce((sum, value) => sum + value, 0);
  }

  /** The product with the vector whose codes begin at `at`. */
  of(codes: Uint8Array, at: number, factor: number): number {
    const sum = this.#sum(codes, at) - this.#offset;
    return sum * this.#width * (leastFactor + factor / steps[this.#bits].factor);
  }

  #sum(codes: Uint8Array, at: number): number {
    const query = this.#query;
    const bits = this.#bits;
    const [mask, last, shift] = [2 ** bits - 1, 8 / bits - 1, Math.log2(8 / bits)];
    let sum = 0;
    for (let i = 0; i < query.length; i++) {
      const byte = codes[at + (i >> shift)] as number;
      sum += (query[i] as number) * ((byte >> (bits * (i & last))) & mask);
    }
    return sum;
  }
}

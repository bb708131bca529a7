// Vectors as codes of 4 or 8 bits. A vector has length 1, so its values are near 1 / √dim, and one width of the steps fits
// all. A factor of each vector makes the product with the vector itself exact, which corrects most of what the steps lose.

export const codeBits = [4, 8] as const;
export type CodeBits = (typeof codeBits)[number];

/** The steps in units of 1 / √dim. They lose least for values that are distributed normally. */
const stepWidths: Readonly<Record<CodeBits, number>> = { 4: 0.335, 8: 0.0308 };
/** A factor is stored as a byte: from 0.75 in steps of 1/256. */
const leastFactor = 0.75;
const factorSteps = 256;

export interface CodedVector {
  readonly factor: number;
  readonly codes: Uint8Array;
}

/** Bytes of the codes of a vector. Two codes of 4 bits share a byte, the first in the lower half. */
export const codeBytes = (dim: number, bits: CodeBits): number => Math.ceil((dim * bits) / 8);

export function encodeVector(vector: Float32Array, bits: CodeBits): CodedVector {
  const levels = 2 ** bits;
  const width = stepWidths[bits] / Math.sqrt(vector.length);
  const codes = new Uint8Array(codeBytes(vector.length, bits));
  let product = 0;
  vector.forEach((value, i) => {
    const code = Math.min(levels - 1, Math.max(0, Math.floor(value / width) + levels / 2));
    product += value * (code - levels / 2 + 0.5) * width;
    if (bits === 8) codes[i] = code;
    else codes[i >> 1] = (codes[i >> 1] ?? 0) | (code << (4 * (i & 1)));
  });
  const exact = product > 0 ? 1 / product : 1;
  const factor = Math.round((exact - leastFactor) * factorSteps);
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
    this.#width = stepWidths[bits] / Math.sqrt(query.length);
    this.#offset = (2 ** (bits - 1) - 0.5) * query.reduce((sum, value) => sum + value, 0);
  }

  /** The product with the vector whose codes begin at `at`. */
  of(codes: Uint8Array, at: number, factor: number): number {
    const sum = this.#bits === 8 ? this.#sumOfBytes(codes, at) : this.#sumOfHalves(codes, at);
    return (sum - this.#offset) * this.#width * (leastFactor + factor / factorSteps);
  }

  #sumOfBytes(codes: Uint8Array, at: number): number {
    const query = this.#query;
    let sum = 0;
    for (let i = 0; i < query.length; i++) sum += (query[i] as number) * (codes[at + i] as number);
    return sum;
  }

  #sumOfHalves(codes: Uint8Array, at: number): number {
    const query = this.#query;
    let sum = 0;
    for (let i = 0; i < query.length; i++) {
      const byte = codes[at + (i >> 1)] as number;
      sum += (query[i] as number) * ((byte >> (4 * (i & 1))) & 15);
    }
    return sum;
  }
}

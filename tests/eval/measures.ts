// How well an order agrees with another, and where the right answer stands in one.

/** Ranks from 1, ties share their mean. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const result = new Array<number>(values.length).fill(0);
  for (let i = 0; i < order.length; ) {
    let end = i + 1;
    while (end < order.length && values[order[end] ?? 0] === values[order[i] ?? 0]) {
      end++;
    }
    for (let j = i; j < end; j++) {
      result[order[j] ?? 0] = (i + end + 1) / 2;
    }
    i = end;
  }
  return result;
}

/** Spearman's rank correlation of two lists of one length. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)];
  const mean = (a.length + 1) / 2;
  const covariance = (p: number[], q: number[]) =>
    p.reduce((sum, value, i) => sum + (value - mean) * ((q[i] ?? 0) - mean), 0);
  return covariance(x, y) / Math.sqrt(covariance(x, x) * covariance(y, y));
}

export interface Found {
  /** Shares of the queries whose answer is first, and among the first ten. */
  readonly recall1: number;
  readonly recall10: number;
  /** Mean of 1/rank; 0 beyond the tenth. */
  readonly reciprocal: number;
}

/** From the rank of each query's answer. */
export function found(answerRanks: readonly number[]): Found {
  const share = (count: (rank: number) => number) =>
    answerRanks.reduce((sum, rank) => sum + count(rank), 0) / answerRanks.length;
  return {
    recall1: share((rank) => (rank === 1 ? 1 : 0)),
    recall10: share((rank) => (rank <= 10 ? 1 : 0)),
    reciprocal: share((rank) => (rank <= 10 ? 1 / rank : 0)),
  };
}

/** `count` vectors one after another, as `model.embed` gives them. */
export class Vectors {
  readonly dim: number;
  readonly #numbers: Float32Array;

  constructor(numbers: Float32Array, count: number) {
    this.#numbers = numbers;
    this.dim = numbers.length / count;
  }

  row(i: number): Float32Array {
    return this.#numbers.subarray(i * this.dim, (i + 1) * this.dim);
  }
}

/** The cosine of unit vectors. */
export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

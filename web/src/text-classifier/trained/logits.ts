// Vectors times weights, in double precision.

/** The weights of a classifier: a row for each label, and a number for each to add. */
export interface Weights {
  readonly dim: number;
  readonly weight: Float32Array | Float64Array;
  readonly bias: Float32Array | Float64Array;
}

/** Writes the logits of one row, which begins at `at` in `rows`. */
export function putLogits(
  { dim, weight, bias }: Weights,
  rows: Float32Array,
  at: number,
  logits: Float64Array,
): void {
  for (let label = 0; label < bias.length; label++) {
    const begin = label * dim;
    let sum = bias[label] as number;
    for (let i = 0; i < dim; i++) {
      sum += (weight[begin + i] as number) * (rows[at + i] as number);
    }
    logits[label] = sum;
  }
}

/** Turns logits into probabilities, and returns the logarithm of their sum of powers. */
export function softmaxInPlace(logits: Float64Array): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const logit of logits) {
    most = Math.max(most, logit);
  }
  let sum = 0;
  for (let i = 0; i < logits.length; i++) {
    const power = Math.exp((logits[i] as number) - most);
    logits[i] = power;
    sum += power;
  }
  for (let i = 0; i < logits.length; i++) {
    logits[i] = (logits[i] as number) / sum;
  }
  return most + Math.log(sum);
}

/** About a millisecond of products: so many rows are computed between two looks at the clock. */
export const rowsAtATime = (weights: number): number => Math.max(4, Math.floor(2 ** 19 / weights));

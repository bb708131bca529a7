// Products with four vectors at a time, the inner loops of training. Each number of the weights and of the gradient is then
// read once for four products.

export const four = 4;

/** Four vectors in double precision, one after another. */
export interface FourRows {
  readonly dim: number;
  readonly numbers: Float64Array;
}

/** Adds the products with each row of `weight` to `sums`, where the four of a label lie side by side. */
export function addProducts(
  { dim, numbers }: FourRows,
  weight: ArrayLike<number>,
  sums: Float64Array,
): void {
  for (let label = 0; label * four < sums.length; label++) {
    const begin = label * dim;
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let i = 0; i < dim; i++) {
      const w = weight[begin + i] as number;
      a += w * (numbers[i] as number);
      b += w * (numbers[dim + i] as number);
      c += w * (numbers[2 * dim + i] as number);
      d += w * (numbers[3 * dim + i] as number);
    }
    const to = label * four;
    sums[to] = (sums[to] as number) + a;
    sums[to + 1] = (sums[to + 1] as number) + b;
    sums[to + 2] = (sums[to + 2] as number) + c;
    sums[to + 3] = (sums[to + 3] as number) + d;
  }
}

/** Adds the vectors to each row of `gradient`, times the factors, of which the four of a label lie side by side. */
export function addScaled(
  { dim, numbers }: FourRows,
  factors: Float64Array,
  gradient: Float64Array,
): void {
  for (let label = 0; label * four < factors.length; label++) {
    const begin = label * dim;
    const a = factors[label * four] as number;
    const b = factors[label * four + 1] as number;
    const c = factors[label * four + 2] as number;
    const d = factors[label * four + 3] as number;
    for (let i = 0; i < dim; i++) {
      gradient[begin + i] =
        (gradient[begin + i] as number) +
        a * (numbers[i] as number) +
        b * (numbers[dim + i] as number) +
        c * (numbers[2 * dim + i] as number) +
        d * (numbers[3 * dim + i] as number);
    }
  }
}

// How well two lists of numbers agree in their order.

/** Ranks from 1, ties share their mean. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const result = new Array<number>(values.length).fill(0);
  for (let i = 0; i < order.length; ) {
    let end = i + 1;
    while (end < order.length && values[order[end] ?? 0] === values[order[i] ?? 0]) end++;
    for (let j = i; j < end; j++) result[order[j] ?? 0] = (i + end + 1) / 2;
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

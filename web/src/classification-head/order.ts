// The order of scores.

/** The indices of the numbers, the largest first. Of equal ones the second list decides; then they keep their order. */
export function bestFirst(numbers: ArrayLike<number>, then: ArrayLike<number> = numbers): number[] {
  const indices = Array.from(numbers, (_, i) => i);
  const compare = (values: ArrayLike<number>, a: number, b: number) =>
    (values[b] as number) - (values[a] as number);
  return indices.sort((a, b) => compare(numbers, a, b) || compare(then, a, b));
}

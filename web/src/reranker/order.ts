// The order of scores.
import type { RankedDocument, RankOptions } from './types.ts';

/** The indices of the numbers, the largest first. Of equal ones the second list decides; then they keep their order. */
export function bestFirst(numbers: ArrayLike<number>, then: ArrayLike<number> = numbers): number[] {
  const indices = Array.from(numbers, (_, i) => i);
  const compare = (values: ArrayLike<number>, a: number, b: number) =>
    (values[b] as number) - (values[a] as number);
  return indices.sort((a, b) => compare(numbers, a, b) || compare(then, a, b));
}

/** The documents by their numbers, the best first. */
export function rankedDocuments(
  numbers: ArrayLike<number>,
  documents: readonly string[],
  { k, returnDocuments = false }: RankOptions,
  scoreOf: (number: number) => number = (number) => number,
): RankedDocument[] {
  return bestFirst(numbers)
    .slice(0, k)
    .map((index) => ({
      index,
      score: scoreOf(numbers[index] as number),
      ...(returnDocuments && { text: documents[index] as string }),
    }));
}

// Documents by their scores.
import { bestFirst } from '../classification-head/order.ts';
import type { RankedDocument, RankOptions } from './types.ts';

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

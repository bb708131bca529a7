// The labels of a text by their probabilities.
import { bestFirst } from '../classification-head/order.ts';
import { classifyDefaults, type LabelOptions, type LabelScore } from '../model/classify-types.ts';

/** The best labels first. Of equal probabilities, the logits tell which label is the better one. */
export function labelScores(
  labels: readonly string[],
  logits: ArrayLike<number>,
  scores: ArrayLike<number>,
  { k = classifyDefaults.k, threshold = classifyDefaults.threshold }: LabelOptions,
): LabelScore[] {
  return bestFirst(scores, logits)
    .slice(0, k)
    .map((index) => ({ label: labels[index] as string, index, score: scores[index] as number }))
    .filter(({ score }) => !(score < threshold));
}

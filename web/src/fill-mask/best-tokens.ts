// The most likely tokens by the numbers of a mask.
import { BestFew } from '../token-head/best-few.ts';

export interface TokenScore {
  readonly id: number;
  readonly score: number;
}

/** The `k` most likely tokens, the best first; among the `ids`, if they are given. Their probabilities are those among all
 *  tokens. */
export function bestTokens(
  logits: Float32Array,
  k: number,
  ids: Iterable<number> = logits.keys(),
): TokenScore[] {
  const best = new BestFew(k);
  for (const id of ids) {
    best.add(id, logits[id] ?? Number.NEGATIVE_INFINITY);
  }
  const most = logits.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - most), 0);
  return best.bestFirst().map(([id, logit]) => ({ id, score: Math.exp(logit - most) / sum }));
}

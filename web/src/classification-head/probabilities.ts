// Logits to scores and probabilities, in double precision.
import type { HeadInfo, ScoreActivation } from './types.ts';

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

export const activations: Readonly<Record<ScoreActivation, (x: number) => number>> = {
  identity: (x) => x,
  sigmoid,
  tanh: Math.tanh,
};

/** The largest logit is taken away first, so that no power is infinite. */
export function softmax(logits: readonly number[]): number[] {
  const most = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Whether each label has a probability of its own, unless the call says it. */
export function isMultiLabel({ labels, problemType }: HeadInfo): boolean {
  if (problemType === null) {
    return labels.length === 1;
  }
  return problemType === 'multi_label_classification';
}

export function probabilities(logits: readonly number[], multiLabel: boolean): number[] {
  return multiLabel ? logits.map(sigmoid) : softmax(logits);
}

// Logits to probabilities, in single precision as the weights are.

/** A label and its probability. */
export interface Choice {
  readonly index: number;
  readonly score: number;
}

/** The largest logit is taken away first, so that no power is infinite. */
export function probabilities(logits: Float32Array): Float32Array {
  const most = largest(logits);
  const found = new Float32Array(logits.length);
  let sum = 0;
  for (let i = 0; i < logits.length; i++) {
    found[i] = Math.exp(Math.fround((logits[i] as number) - most));
    sum += found[i] as number;
  }
  for (let i = 0; i < found.length; i++) {
    found[i] = (found[i] as number) / sum;
  }
  return found;
}

/** The most probable label; the first of equal ones. */
export function best(logits: Float32Array): Choice {
  const most = largest(logits);
  let sum = 0;
  let index = -1;
  for (let i = 0; i < logits.length; i++) {
    const power = Math.fround(Math.exp(Math.fround((logits[i] as number) - most)));
    sum += power;
    // The largest power is 1.
    if (power === 1 && index < 0) {
      index = i;
    }
  }
  return { index: Math.max(0, index), score: Math.fround(1 / sum) };
}

function largest(logits: Float32Array): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logits.length; i++) {
    most = Math.max(most, logits[i] as number);
  }
  return most;
}

export function mean(numbers: readonly number[]): number {
  return Math.fround(numbers.reduce((total, x) => total + x, 0) / numbers.length);
}

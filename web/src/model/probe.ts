// A text whose vector tells models apart: files that belong to a model keep it, and it is compared when they are opened.
import { cosineOf } from './cosine.ts';
import type { Embedder } from './embedding.ts';

export const probeText =
  'Twelve grey geese crossed the frozen river before the first train left at 6:45.';

/** int8 and f32 weights of one model agree to 0.999. Different models agree far less. */
const leastAgreement = 0.99;
/** Numbers of vectors that were computed alike differ by less than this: files keep five digits, and f32 weights may be
 *  multiplied with other last bits. Other weights or codes make differences of 1e-3. */
const sameNumber = 2e-5;

export function embedProbe(
  model: Embedder,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  return model.embed(probeText, { normalize: true, prompt: '', ...(signal && { signal }) });
}

/** The vector of the probe as files keep it. */
export const storedProbe = (vector: Float32Array): number[] =>
  Array.from(vector, (x) => Number(x.toFixed(5)));

/** `same`: the model gives the numbers that the file has. `alike`: it has other weights, or another version computes it.
 *  `other`: it is another model. */
export function probeAgreement(
  now: Float32Array,
  was: readonly number[],
): 'same' | 'alike' | 'other' {
  if (now.length !== was.length) {
    return 'other';
  }
  // Word vectors give zeros if they know none of the sentence's words.
  const isZero = [...now, ...was].every((x) => x === 0);
  if (!isZero && !(cosineOf(now, was) >= leastAgreement)) {
    return 'other';
  }
  const isSame = was.every((x, i) => Math.abs(x - (now[i] ?? Number.NaN)) <= sameNumber);
  return isSame ? 'same' : 'alike';
}

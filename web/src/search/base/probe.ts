// The vector of the text that tells models apart.
import { embedProbe, probeText } from '../../model/probe.ts';
import type { SparseEncoder } from '../../sparse-encoder/client.ts';
import type { IndexModel } from './types.ts';

/** Whether it is an opened sparse encoder. */
export function isSparse(value: unknown): value is SparseEncoder {
  const { kind, connection } = (value ?? {}) as Partial<SparseEncoder>;
  return kind === 'sparseEncoder' && connection !== undefined;
}

export async function probe(
  model: IndexModel,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  if (isSparse(model)) {
    return (await import('./sparse-vectors.ts')).sparseProbe(model, signal);
  }
  if (model.lateInteraction) {
    const { embedQueryTokens } = await import('./token-vectors.ts');
    const tokens = await embedQueryTokens(model, probeText, { prompt: '', signal });
    return tokens.slice(0, model.dim);
  }
  return embedProbe(model, signal);
}

// The vector of the text that tells models apart.
import type { Embedder } from '../../model/embedding.ts';
import { embedProbe, probeText } from '../../model/probe.ts';

export async function probe(
  model: Embedder,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  if (model.lateInteraction) {
    const { embedQueryTokens } = await import('./token-vectors.ts');
    const tokens = await embedQueryTokens(model, probeText, { prompt: '', signal });
    return tokens.slice(0, model.dim);
  }
  return embedProbe(model, signal);
}

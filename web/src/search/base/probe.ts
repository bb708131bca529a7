// A text whose vector tells models apart.
import type { Embedder } from '../../model/embedding.ts';

const probeText = 'Twelve grey geese crossed the frozen river before the first train left at 6:45.';

export async function probe(
  model: Embedder,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  if (model.lateInteraction) {
    const { embedQueryTokens } = await import('./token-vectors.ts');
    const tokens = await embedQueryTokens(model, probeText, { prompt: '', signal });
    return tokens.slice(0, model.dim);
  }
  return model.embed(probeText, { normalize: true, prompt: '', ...(signal && { signal }) });
}

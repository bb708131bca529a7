// What models make of texts or pairs of texts, piece by piece.
import type { Reranker, SparseEncoder, TextClassifier } from 'ambry';
import { tokenCount } from 'ambry-openai/shared';
import type { ServedModel } from './models.ts';
import { inPieces } from './pieces.ts';
import type { Service } from './service.ts';

/** Calls `work` for one run of texts after another when it is their turn, and counts tokens. A model of fastText has none. */
export async function overTexts<T>(
  { metrics }: Service,
  served: ServedModel,
  model: Reranker | SparseEncoder | TextClassifier,
  texts: readonly string[],
  signal: AbortSignal,
  work: (texts: readonly string[], begin: number) => Promise<readonly T[]>,
): Promise<T[]> {
  const pieces = await inPieces(served, signal, texts, 1, async (some, begin) => ({
    made: await work(some, begin),
    tokens: model.info.tokenizer ? await tokenCount(model, some, signal) : 0,
  }));
  metrics.tokens(
    served.name,
    pieces.reduce((sum, { tokens }) => sum + tokens, 0),
  );
  return pieces.flatMap(({ made }) => made);
}

// POST /v1/rerank, in the form of Jina and Cohere.

import type { Encoder, Reranker } from 'ambry';
import { ApiError, checkCount, tokenCount } from 'ambry-openai/shared';
import { z } from 'zod';
import { inPieces } from '../service/pieces.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';

const rerankRequest = z.object({
  model: z.string(),
  query: z.string(),
  documents: z.array(z.union([z.string(), z.object({ text: z.string() })])).min(1),
  top_n: z.int().min(1).nullish(),
  return_documents: z.boolean().nullish(),
});

export async function rerank(
  c: ApiContext,
  { models, metrics, settings }: Service,
): Promise<Response> {
  const request = await readBody(c, rerankRequest);
  const { served, model } = models.ready(request.model, ['reranker', 'encoder']);
  checkRanks(served.name, model);
  checkCount('documents', request.documents.length, settings.maxInputs);
  const documents = request.documents.map((given) =>
    typeof given === 'string' ? given : given.text,
  );
  const { signal } = c.var;
  const pieces = await inPieces(served, signal, documents, 1, async (texts, begin) => {
    const ranked = await model.rank(request.query, texts, { signal });
    const tokens = await tokenCount(model, [request.query, ...texts], signal);
    return { ranked: ranked.map(({ index, score }) => ({ index: begin + index, score })), tokens };
  });
  const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  metrics.tokens(served.name, tokens);
  const ranked = pieces
    .flatMap((piece) => piece.ranked)
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, request.top_n ?? documents.length);
  const results = ranked.map(({ index, score }) => ({
    index,
    relevance_score: score,
    ...(request.return_documents && { document: { text: documents[index] } }),
  }));
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return c.json({ id: crypto.randomUUID(), model: served.name, results, usage });
}

function checkRanks(name: string, model: Reranker | Encoder): void {
  const canRank = model.kind === 'reranker' || model.lateInteraction;
  if (canRank) {
    return;
  }
  const message = `${name} gives documents no score. This needs a reranker, or an encoder with late interaction.`;
  throw new ApiError(400, message, { param: 'model', code: 'unsupported_model' });
}

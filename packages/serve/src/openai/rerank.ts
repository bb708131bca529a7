// POST /v1/rerank, in the form of Jina and Cohere.
import type { Encoder, Reranker } from 'ambry';
import { z } from 'zod';
import { ApiError } from '../service/api-error.ts';
import { type ApiContext, checkCount, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { tokenCount } from '../service/vectors.ts';

const rerankRequest = z.strictObject({
  model: z.string(),
  query: z.string(),
  documents: z.array(z.union([z.string(), z.strictObject({ text: z.string() })])).min(1),
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
  const options = { signal, ...(typeof request.top_n === 'number' && { k: request.top_n }) };
  const [ranked, tokens] = await served.use(signal, async () => [
    await model.rank(request.query, documents, options),
    await tokenCount(model, [request.query, ...documents]),
  ]);
  metrics.tokens(served.name, tokens);
  const results = ranked.map(({ index, score }) => ({
    index,
    relevance_score: score,
    ...(request.return_documents && { document: { text: documents[index] } }),
  }));
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return c.json({ id: crypto.randomUUID(), model: served.name, results, usage });
}

function checkRanks(name: string, model: Reranker | Encoder): void {
  const canRank = model.kind === 'reranker' ? model.labels.length === 1 : model.lateInteraction;
  if (canRank) {
    return;
  }
  const message = `${name} gives documents no score. This needs a reranker with one label, or an encoder with late interaction.`;
  throw new ApiError(400, message, { param: 'model', code: 'unsupported_model' });
}

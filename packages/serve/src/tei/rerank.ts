// POST /rerank, in the form of Text Embeddings Inference.
import { checkCount } from 'ambry-openai/shared';
import { z } from 'zod';
import { overTexts } from '../service/numbers.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { commonFields, modelFor, truncation } from './fields.ts';

const rerankRequest = z.object({
  ...commonFields,
  query: z.string(),
  texts: z.array(z.string()).min(1),
  raw_scores: z.boolean().nullish(),
  return_text: z.boolean().nullish(),
});

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** Scores are the sigmoids of logits, whatever the model states, as clients of such a server expect. */
export async function rerank(c: ApiContext, service: Service): Promise<Response> {
  const request = await readBody(c, rerankRequest);
  const { query, texts } = request;
  const { served, model } = modelFor(service, request.model, ['reranker']);
  checkCount('texts', texts.length, service.settings.maxInputs);
  const { signal } = c.var;
  const options = { signal, truncate: truncation(request.truncate) } as const;
  const logits = await overTexts(service, served, model, texts, signal, async (some) => [
    ...(await model.logits(
      some.map((text) => [query, text] as const),
      options,
    )),
  ]);
  const scored = logits.map((logit, index) => ({
    index,
    ...(request.return_text && { text: texts[index] }),
    score: request.raw_scores ? logit : sigmoid(logit),
  }));
  return c.json(scored.toSorted((a, b) => b.score - a.score || a.index - b.index));
}

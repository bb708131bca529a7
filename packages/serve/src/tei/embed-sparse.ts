// POST /embed_sparse, in the form of Text Embeddings Inference.
import { checkCount } from 'ambry-openai/shared';
import { z } from 'zod';
import { overTexts } from '../service/numbers.ts';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { commonFields, modelFor, truncation } from './fields.ts';

const embedSparseRequest = z.object({
  ...commonFields,
  inputs: z.union([z.string(), z.array(z.string()).min(1)]),
});

/** The weights of words as documents have them, the largest first. */
export async function embedSparse(c: ApiContext, service: Service): Promise<Response> {
  const request = await readBody(c, embedSparseRequest);
  const { served, model } = modelFor(service, request.model, ['sparseEncoder']);
  const texts = typeof request.inputs === 'string' ? [request.inputs] : request.inputs;
  checkCount('inputs', texts.length, service.settings.maxInputs);
  const { signal } = c.var;
  const options = { signal, truncate: truncation(request.truncate) } as const;
  const vectors = await overTexts(service, served, model, texts, signal, (some) =>
    model.embedSparse(some, options),
  );
  return c.json(
    vectors.map(({ ids, weights }) =>
      Array.from(ids, (index, i) => ({ index, value: weights[i] ?? 0 })),
    ),
  );
}

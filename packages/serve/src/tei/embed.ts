// POST /embed, in the form of Text Embeddings Inference.
import { checkCount } from 'ambry-openai/shared';
import { z } from 'zod';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { embed as embedTexts } from '../service/vectors.ts';
import { commonFields, modelFor, truncation } from './fields.ts';

const embedRequest = z.object({
  ...commonFields,
  inputs: z.union([z.string(), z.array(z.string()).min(1)]),
  normalize: z.boolean().nullish(),
  prompt_name: z.string().nullish(),
  dimensions: z.int().min(1).nullish(),
});

export async function embed(c: ApiContext, service: Service): Promise<Response> {
  const request = await readBody(c, embedRequest);
  const { served, model } = modelFor(service, request.model, ['encoder', 'words']);
  const texts = typeof request.inputs === 'string' ? [request.inputs] : request.inputs;
  checkCount('inputs', texts.length, service.settings.maxInputs);
  const { rows } = await embedTexts(service, served, model, texts, c.var.signal, {
    dim: request.dimensions,
    promptName: request.prompt_name,
    truncate: truncation(request.truncate),
    normalize: request.normalize ?? true,
  });
  return c.json(rows.map((row) => [...row]));
}

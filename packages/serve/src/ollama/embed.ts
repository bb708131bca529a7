// POST /api/embed, and POST /api/embeddings of older clients
import { checkCount } from 'ambry-openai/shared';
import { z } from 'zod';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { embed as embedTexts } from '../service/vectors.ts';
import { commonFields } from './fields.ts';

/** No option of a language model has a meaning here. */
const options = z.record(z.string(), z.unknown()).nullish();

const embedRequest = z.object({
  ...commonFields,
  options,
  input: z.union([z.string(), z.array(z.string())]),
  truncate: z.boolean().nullish(),
  dimensions: z.int().min(1).nullish(),
});

export async function embed(c: ApiContext, service: Service): Promise<Response> {
  const begin = performance.now();
  const request = await readBody(c, embedRequest);
  const { served, model } = service.models.ready(request.model, ['encoder', 'words']);
  const texts = typeof request.input === 'string' ? [request.input] : request.input;
  checkCount('input', texts.length, service.settings.maxInputs);
  const { rows, tokens } = await embedTexts(service, served, model, texts, c.var.signal, {
    dim: request.dimensions,
    truncate: request.truncate === false ? 'error' : 'end',
  });
  return c.json({
    model: served.name,
    embeddings: rows.map((row) => [...row]),
    total_duration: Math.round((performance.now() - begin) * 1e6),
    load_duration: 0,
    prompt_eval_count: tokens,
  });
}

const embeddingsRequest = z.object({ ...commonFields, options, prompt: z.string().nullish() });

/** Without a text it only loads the model. */
export async function embeddings(c: ApiContext, service: Service): Promise<Response> {
  const { model: name, prompt } = await readBody(c, embeddingsRequest);
  const { served, model } = service.models.ready(name, ['encoder', 'words']);
  if (!prompt) {
    return c.json({ embedding: [] });
  }
  const { rows } = await embedTexts(service, served, model, [prompt], c.var.signal, {});
  return c.json({ embedding: [...(rows[0] ?? [])] });
}

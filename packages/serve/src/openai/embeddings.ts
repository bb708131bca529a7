// POST /v1/embeddings
import { embeddingDocument, embeddingRequest, textsOf } from 'ambry-openai/shared';
import { type ApiContext, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { embed } from '../service/vectors.ts';

export async function embeddings(c: ApiContext, service: Service): Promise<Response> {
  const request = await readBody(c, embeddingRequest);
  const { served, model } = service.models.ready(request.model, ['encoder', 'words']);
  const texts = await textsOf(request, model, service.settings);
  const { rows, tokens } = await embed(service, served, model, texts, c.var.signal, {
    dim: request.dimensions,
    promptName: request.prompt_name,
  });
  return c.json(embeddingDocument(rows, tokens, request, served.name));
}

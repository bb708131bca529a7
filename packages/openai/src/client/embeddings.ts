// embeddings.create
import { embeddingDocument } from '../embeddings/embedding-document.ts';
import { embeddingRequest, textsOf } from '../embeddings/embedding-request.ts';
import { tokenCount } from '../embeddings/token-count.ts';
import { noLimits } from './limits.ts';
import type { Models } from './models.ts';
import { answered, parsedRequest, type RequestOptions, signalOf } from './requests.ts';

export function createEmbeddings(
  models: Models,
  body: unknown,
  options?: RequestOptions,
): Promise<unknown> {
  return answered(async () => {
    const request = parsedRequest(embeddingRequest, body);
    const signal = signalOf(options);
    const model = models.find(request.model, ['encoder', 'words']);
    const texts = await textsOf(request, model, noLimits);
    const { dimensions: dim, prompt_name: promptName } = request;
    const rows = await model.embed(texts, {
      ...(signal && { signal }),
      ...(typeof dim === 'number' && { dim }),
      ...(typeof promptName === 'string' && { promptName }),
    });
    const tokens = await tokenCount(model, texts, signal);
    return embeddingDocument(rows, tokens, request, request.model);
  });
}

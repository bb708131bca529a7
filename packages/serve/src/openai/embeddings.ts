// POST /v1/embeddings
import type { Encoder, WordVectors } from 'ambry';
import { z } from 'zod';
import { ApiError } from '../service/api-error.ts';
import { type ApiContext, checkCount, readBody } from '../service/requests.ts';
import type { Service } from '../service/service.ts';
import { embed } from '../service/vectors.ts';
import { callerFields } from './sampling.ts';
import { type TextOrIds, textOrIds, textsOrIds } from './texts-or-ids.ts';

const embeddingRequest = z.object({
  model: z.string(),
  input: textOrIds,
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).nullish(),
  user: callerFields.user,
  metadata: callerFields.metadata,
  // Not OpenAI's: the name of one of the model's prompts, such as `query`.
  prompt_name: z.string().nullish(),
});

export async function embeddings(c: ApiContext, service: Service): Promise<Response> {
  const request = await readBody(c, embeddingRequest);
  const { served, model } = service.models.ready(request.model, ['encoder', 'words']);
  const inputs = textsOrIds(request.input);
  checkCount('input', inputs.length, service.settings.maxInputs);
  const texts = await Promise.all(inputs.map((input, i) => textOf(model, input, i)));
  const { rows, tokens } = await embed(service, served, model, texts, c.var.signal, {
    dim: request.dimensions,
    promptName: request.prompt_name,
  });
  const encode = request.encoding_format === 'base64' ? base64 : (row: Float32Array) => [...row];
  const data = rows.map((row, index) => ({ object: 'embedding', index, embedding: encode(row) }));
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return c.json({ object: 'list', data, model: served.name, usage });
}

/** The text of ids, which are those of the model's own tokenizer. */
async function textOf(model: Encoder | WordVectors, input: TextOrIds, i: number): Promise<string> {
  if (typeof input === 'string') {
    return input;
  }
  if (model.kind === 'encoder') {
    return model.detokenize(input);
  }
  const message = 'Word vectors have no token ids. Give texts.';
  throw new ApiError(400, message, { param: `input[${i}]`, code: 'invalid_value' });
}

/** Base64 of the numbers as float32, little-endian. */
function base64(row: Float32Array): string {
  return Buffer.from(row.buffer, row.byteOffset, row.byteLength).toString('base64');
}

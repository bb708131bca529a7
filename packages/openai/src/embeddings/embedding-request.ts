// A request to /v1/embeddings.
import type { Encoder, WordVectors } from 'ambry';
import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { checkCount, type Limits } from '../base/limits.ts';
import { callerFields } from '../base/sampling.ts';
import { type TextOrIds, textOrIds, textsOrIds } from '../base/texts-or-ids.ts';

export const embeddingRequest = z.object({
  model: z.string(),
  input: textOrIds,
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).nullish(),
  user: callerFields.user,
  metadata: callerFields.metadata,
  // Not OpenAI's: the name of one of the model's prompts, such as `query`.
  prompt_name: z.string().nullish(),
});

export type EmbeddingRequest = z.infer<typeof embeddingRequest>;

/** The texts to embed. Rejects with an `ApiError` for too many, and for ids where the model has none. */
export function textsOf(
  { input }: EmbeddingRequest,
  model: Encoder | WordVectors,
  { maxInputs }: Pick<Limits, 'maxInputs'>,
): Promise<readonly string[]> {
  const inputs = textsOrIds(input);
  checkCount('input', inputs.length, maxInputs);
  return Promise.all(inputs.map((given, i) => textOf(model, given, i)));
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

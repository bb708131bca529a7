// The fields that several of Ollama's requests have.
import type { GenerateOptions, Generator } from 'ambry';
import { z } from 'zod';
import { present } from '../openai/sampling.ts';
import { ApiError } from '../service/api-error.ts';
import type { Settings } from '../service/options.ts';

const runOptions = z.strictObject({
  // Below 0: as many as there is room for.
  num_predict: z
    .int()
    .min(-2)
    .refine((count) => count !== 0, { error: 'Must not be 0' })
    .optional(),
  num_ctx: z.int().min(1).optional(),
  temperature: z.number().min(0).optional(),
  top_k: z.int().min(0).optional(),
  top_p: z.number().min(0).max(1).optional(),
  min_p: z.number().min(0).max(1).optional(),
  typical_p: z.number().min(0).max(1).optional(),
  seed: z.int().min(0).optional(),
  stop: z.union([z.string(), z.array(z.string()).max(64)]).optional(),
  repeat_penalty: z.number().min(0).optional(),
  repeat_last_n: z.int().min(-1).optional(),
  frequency_penalty: z.number().optional(),
  presence_penalty: z.number().optional(),
  mirostat: z.int().min(0).max(2).optional(),
  mirostat_tau: z.number().min(0).optional(),
  mirostat_eta: z.number().min(0).optional(),
});

/** Models stay open, so `keep_alive` changes nothing. */
export const commonFields = {
  model: z.string(),
  options: runOptions.nullish(),
  keep_alive: z.union([z.string(), z.number()]).nullish(),
};

export const generationFields = {
  ...commonFields,
  stream: z.boolean().nullish(),
  format: z.union([z.enum(['json', '']), z.record(z.string(), z.unknown())]).nullish(),
  think: z.literal(false, { error: 'Only false is supported' }).nullish(),
};

const generationSchema = z.object(generationFields);
type GenerationRequest = z.infer<typeof generationSchema>;

/** Options that are absent have the defaults of `generate`. Throws an `ApiError`. */
export function ollamaOptions(
  { options, format }: GenerationRequest,
  model: Generator,
  { maxTokens }: Settings,
): GenerateOptions {
  const { context } = model.info.generator;
  const most = Math.min(maxTokens ?? context, context);
  const { num_predict: predict = -1, num_ctx: asked = 1, ...rest } = options ?? {};
  if (asked > context) {
    const message = `The model was opened with a context of ${context} tokens.`;
    throw new ApiError(400, message, { param: 'options.num_ctx', code: 'invalid_value' });
  }
  return present({
    maxTokens: predict < 0 ? most : Math.min(predict, most),
    temperature: rest.temperature,
    topK: rest.top_k,
    topP: rest.top_p,
    minP: rest.min_p,
    typicalP: rest.typical_p,
    seed: rest.seed,
    stop: rest.stop,
    repetitionPenalty: rest.repeat_penalty,
    penaltyLastN: rest.repeat_last_n,
    frequencyPenalty: rest.frequency_penalty,
    presencePenalty: rest.presence_penalty,
    mirostat: rest.mirostat,
    mirostatTau: rest.mirostat_tau,
    mirostatEta: rest.mirostat_eta,
    format: formatOf(format),
  });
}

function formatOf(format: GenerationRequest['format']): GenerateOptions['format'] {
  if (format === 'json') {
    return { schema: { type: 'object' } };
  }
  return format ? { schema: format } : undefined;
}

// The fields of OpenAI's requests that say how tokens are chosen.
import type { GenerateOptions } from 'ambry';
import { z } from 'zod';
import type { Settings } from '../service/options.ts';

export const samplingFields = {
  model: z.string(),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_usage: z.boolean().optional() }).nullish(),
  temperature: z.number().min(0).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  n: z.int().min(1).nullish(),
  seed: z.int().min(0).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(64)]).nullish(),
  frequency_penalty: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  logit_bias: z.record(z.string().regex(/^\d+$/), z.number()).nullish(),
  // Not OpenAI's, but other local servers take them.
  top_k: z.int().min(0).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  repetition_penalty: z.number().min(0).nullish(),
};

/** Fields that say something about the caller and do not change an answer. */
export const callerFields = {
  user: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  safety_identifier: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  service_tier: z.enum(['auto', 'default']).nullish(),
  store: z.literal(false).nullish(),
};

const samplingSchema = z.object(samplingFields);
export type Sampling = z.infer<typeof samplingSchema>;

/** Fields that are absent have the defaults of `generate`. */
export function samplingOptions(
  request: Sampling,
  context: number,
  { maxTokens = context }: Settings,
): GenerateOptions {
  return present({
    maxTokens: Math.min(request.max_tokens ?? maxTokens, maxTokens, context),
    temperature: request.temperature,
    topP: request.top_p,
    topK: request.top_k,
    minP: request.min_p,
    repetitionPenalty: request.repetition_penalty,
    frequencyPenalty: request.frequency_penalty,
    presencePenalty: request.presence_penalty,
    logitBias: request.logit_bias,
    seed: request.seed,
    stop: request.stop,
  });
}

/** The options that are neither null nor undefined. */
export function present(options: Readonly<Record<string, unknown>>): GenerateOptions {
  const given = Object.entries(options).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return Object.fromEntries(given) as GenerateOptions;
}

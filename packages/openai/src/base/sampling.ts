// The fields of OpenAI's requests that say how tokens are chosen.
import type { GenerateOptions } from 'ambry';
import { z } from 'zod';
import type { Limits } from './limits.ts';
import { present } from './present.ts';

/** LM Studio and llama.cpp write -1 for no limit. */
const maxTokens = z
  .int()
  .refine((count) => count >= 1 || count === -1, {
    error: 'Must be at least 1, or -1 for as many as there is room for',
  })
  .nullish();

export const samplingFields = {
  model: z.string(),
  stream: z.boolean().nullish(),
  stream_options: z
    .object({
      include_usage: z.boolean().nullish(),
      // Random characters against listeners change no answer.
      include_obfuscation: z.boolean().nullish(),
    })
    .nullish(),
  temperature: z.number().min(0).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: maxTokens,
  n: z.int().min(1).nullish(),
  // Negative ones ask for a random seed in other servers.
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(64)]).nullish(),
  frequency_penalty: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  logit_bias: z
    .union([z.record(z.string().regex(/^\d+$/), z.number()), z.array(z.never()).max(0)])
    .nullish(),
  // Not OpenAI's, but other local servers take them.
  top_k: z.int().min(-1).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  repetition_penalty: z.number().min(0).nullish(),
  repeat_penalty: z.number().min(0).nullish(),
};

/** Fields that say something about the caller or the service, and do not change an answer. */
export const callerFields = {
  user: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  safety_identifier: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_retention: z.string().nullish(),
  service_tier: z.string().nullish(),
  store: z.boolean().nullish(),
  verbosity: z.string().nullish(),
  prediction: z.unknown().optional(),
};

/** Fields that say whether a model thinks before it answers. Only the first is OpenAI's. */
export const thinkingFields = {
  reasoning_effort: z.string().nullish(),
  chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
  enable_thinking: z.boolean().nullish(),
  thinking: z.object({ type: z.string() }).nullish(),
};

const thinkingSchema = z.object(thinkingFields);

/** What a chat template reads of them. Templates know `enable_thinking` (Qwen) or `reasoning_effort` (gpt-oss). */
export function thinkingVariables({
  reasoning_effort: effort,
  chat_template_kwargs: kwargs,
  enable_thinking: enabled,
  thinking,
}: z.infer<typeof thinkingSchema>): Record<string, unknown> {
  const isOff = effort === 'none' || thinking?.type === 'disabled';
  return {
    ...(effort && effort !== 'none' && { reasoning_effort: effort }),
    ...(isOff && { enable_thinking: false }),
    ...(thinking?.type === 'enabled' && { enable_thinking: true }),
    ...(typeof enabled === 'boolean' && { enable_thinking: enabled }),
    ...kwargs,
  };
}

const samplingSchema = z.object(samplingFields);
export type Sampling = z.infer<typeof samplingSchema>;

/** Fields that are absent have the defaults of `generate`. */
export function samplingOptions(
  request: Omit<Sampling, 'model'>,
  context: number,
  { maxTokens = context }: Pick<Limits, 'maxTokens'>,
): GenerateOptions {
  const asked = request.max_tokens ?? -1;
  const bias = request.logit_bias;
  return present({
    maxTokens: Math.min(asked < 0 ? maxTokens : asked, maxTokens, context),
    temperature: request.temperature,
    topP: request.top_p,
    // -1 is vLLM's way to turn it off.
    topK: request.top_k === -1 ? 0 : request.top_k,
    minP: request.min_p,
    repetitionPenalty: request.repetition_penalty ?? request.repeat_penalty,
    frequencyPenalty: request.frequency_penalty,
    presencePenalty: request.presence_penalty,
    logitBias: Array.isArray(bias) ? undefined : bias,
    seed: seedOf(request.seed),
    stop: stopsOf(request.stop),
  });
}

/** None for a negative number, which asks for a random one. */
export function seedOf(seed: number | null | undefined): number | undefined {
  return typeof seed === 'number' && seed >= 0 ? seed : undefined;
}

/** An empty text ends no answer. */
export function stopsOf(stop: string | readonly string[] | null | undefined): readonly string[] {
  const stops = typeof stop === 'string' ? [stop] : (stop ?? []);
  return stops.filter((text) => text !== '');
}

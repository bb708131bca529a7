// The fields that several of Ollama's requests have.

import type { GenerateOptions, Generator } from 'ambry';
import { present, seedOf, stopsOf } from 'ambry-openai/shared';
import { z } from 'zod';
import type { Settings } from '../service/options.ts';

const unused = z.unknown().optional();
/** How other servers load and run a model. Here the program that opens a model says that. */
const machineOptions = {
  num_ctx: unused,
  num_batch: unused,
  num_gpu: unused,
  num_keep: unused,
  num_thread: unused,
  num_gqa: unused,
  main_gpu: unused,
  low_vram: unused,
  f16_kv: unused,
  logits_all: unused,
  vocab_only: unused,
  use_mmap: unused,
  use_mlock: unused,
  embedding_only: unused,
  numa: unused,
  rope_frequency_base: unused,
  rope_frequency_scale: unused,
  penalize_newline: unused,
};

const runOptions = z.object({
  ...machineOptions,
  // Below 1: as many as there is room for.
  num_predict: z.int().min(-2).nullish(),
  temperature: z.number().min(0).nullish(),
  top_k: z.int().min(-1).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  typical_p: z.number().min(0).max(1).nullish(),
  // The value with which tail-free sampling does nothing.
  tfs_z: z.literal(1, { error: 'Tail-free sampling is not there' }).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(64)]).nullish(),
  repeat_penalty: z.number().min(0).nullish(),
  repeat_last_n: z.int().min(-1).nullish(),
  frequency_penalty: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  mirostat: z.int().min(0).max(2).nullish(),
  mirostat_tau: z.number().min(0).nullish(),
  mirostat_eta: z.number().min(0).nullish(),
});

/** Models stay open, so `keep_alive` changes nothing. */
export const commonFields = {
  model: z.string(),
  keep_alive: z.union([z.string(), z.number()]).nullish(),
};

export const generationFields = {
  ...commonFields,
  options: runOptions.nullish(),
  stream: z.boolean().nullish(),
  format: z.union([z.enum(['json', '']), z.record(z.string(), z.unknown())]).nullish(),
  think: z.union([z.boolean(), z.string()]).nullish(),
};

const generationSchema = z.object(generationFields);
export type GenerationRequest = z.infer<typeof generationSchema>;

/** Options that are absent have the defaults of `generate`. */
export function ollamaOptions(
  { options, format }: Pick<GenerationRequest, 'options' | 'format'>,
  model: Generator,
  { maxTokens }: Settings,
): GenerateOptions {
  const { context } = model.info.generator;
  const most = Math.min(maxTokens ?? context, context);
  const rest: Partial<z.infer<typeof runOptions>> = options ?? {};
  const predict = rest.num_predict ?? -1;
  return present({
    maxTokens: predict < 1 ? most : Math.min(predict, most),
    temperature: rest.temperature,
    topK: rest.top_k === -1 ? 0 : rest.top_k,
    topP: rest.top_p,
    minP: rest.min_p,
    typicalP: rest.typical_p,
    seed: seedOf(rest.seed),
    stop: stopsOf(rest.stop),
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

/** What a chat template reads. `think` may name an effort. */
export function thinkVariables({ think }: Pick<GenerationRequest, 'think'>) {
  return {
    ...(typeof think === 'boolean' && { enable_thinking: think }),
    ...(typeof think === 'string' && { enable_thinking: true, reasoning_effort: think }),
  };
}

function formatOf(format: GenerationRequest['format']): GenerateOptions['format'] {
  if (format === 'json') {
    return { schema: { type: 'object' } };
  }
  return format ? { schema: format } : undefined;
}

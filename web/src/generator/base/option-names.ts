// The names of the options of language models.

import type { OptionNames } from '../../base/options.ts';
import { jobOptionNames } from '../../runtime/option-names.ts';
import type { SamplingOptions } from './sampling-types.ts';
import type {
  ChatTemplateOptions,
  GenerateOptions,
  LogitsOptions,
  PerplexityOptions,
  Prompt,
  RestoreOptions,
  SessionOptions,
} from './types.ts';

const samplingOptionNames: OptionNames<SamplingOptions> = {
  logitBias: true,
  ignoreEos: true,
  penaltyLastN: true,
  repetitionPenalty: true,
  frequencyPenalty: true,
  presencePenalty: true,
  dryMultiplier: true,
  dryBase: true,
  dryAllowedLength: true,
  dryPenaltyLastN: true,
  drySequenceBreakers: true,
  topNSigma: true,
  topK: true,
  typicalP: true,
  topP: true,
  minP: true,
  minKeep: true,
  xtcProbability: true,
  xtcThreshold: true,
  temperature: true,
  dynatempRange: true,
  dynatempExponent: true,
  mirostat: true,
  mirostatTau: true,
  mirostatEta: true,
  seed: true,
};

/** Also of `generateAll` and `send`, which say why they do not take `n`. */
export const generateOptionNames: OptionNames<GenerateOptions> = {
  ...jobOptionNames,
  ...samplingOptionNames,
  maxTokens: true,
  n: true,
  batchSize: true,
  stop: true,
  stopIds: true,
  format: true,
  logprobs: true,
  promptLookupNumTokens: true,
  maxMatchingNgramSize: true,
};

/** With those that are for `send`, which a session refuses by saying so. */
export const restoreOptionNames: OptionNames<RestoreOptions & GenerateOptions> = {
  ...generateOptionNames,
  template: true,
  variables: true,
  trim: true,
};
export const sessionOptionNames: OptionNames<SessionOptions & GenerateOptions> = {
  ...restoreOptionNames,
  system: true,
  messages: true,
};

export const logitsOptionNames: OptionNames<LogitsOptions> = { ...jobOptionNames, all: true };
export const perplexityOptionNames: OptionNames<PerplexityOptions> = {
  ...jobOptionNames,
  window: true,
  stride: true,
};
export const templateOptionNames: OptionNames<ChatTemplateOptions> = {
  template: true,
  addGenerationPrompt: true,
  variables: true,
  signal: true,
};

type Messages = Extract<Prompt, { readonly messages: unknown }>;
export const promptNames: OptionNames<Messages> = { messages: true, template: true, tools: true };

// The names of the options of language models.

import { namesOf, type OptionNames } from '../../base/options.ts';
import { jobOptionNames } from '../../runtime/option-names.ts';
import {
  type ChatTemplateOptions,
  type GenerateOptions,
  generateDefaults,
  type LogitsOptions,
  type PerplexityOptions,
  type Prompt,
  type RestoreOptions,
  type SessionOptions,
} from './types.ts';

/** Also of `generateAll` and `send`, which say why they do not take `n`. */
export const generateOptionNames: OptionNames<GenerateOptions> = {
  ...jobOptionNames,
  ...namesOf(generateDefaults),
  logitBias: true,
  ignoreEos: true,
  seed: true,
  stop: true,
  stopIds: true,
  format: true,
  logprobs: true,
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
export const promptNames: OptionNames<Messages> = {
  messages: true,
  template: true,
  tools: true,
  variables: true,
};

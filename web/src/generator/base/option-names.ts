// The names of the options of language models.

import { flag, list, object, oneOf, signal, text, textOrTexts } from '../../base/kinds.ts';
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
  trimPolicies,
} from './types.ts';

/** Also of `generateAll` and `send`, which say why they do not take `n`. */
export const generateOptionNames: OptionNames<GenerateOptions> = {
  ...jobOptionNames,
  ...namesOf(generateDefaults),
  logitBias: true,
  ignoreEos: flag,
  seed: true,
  stop: { ...textOrTexts, each: text },
  stopIds: list,
  format: object,
  logprobs: true,
};

/** With those that are for `send`, which a session refuses by saying so. */
export const restoreOptionNames: OptionNames<RestoreOptions & GenerateOptions> = {
  ...generateOptionNames,
  template: true,
  variables: true,
  trim: oneOf(trimPolicies),
};
export const sessionOptionNames: OptionNames<SessionOptions & GenerateOptions> = {
  ...restoreOptionNames,
  system: true,
  messages: true,
};

export const logitsOptionNames: OptionNames<LogitsOptions> = { ...jobOptionNames, all: flag };
export const perplexityOptionNames: OptionNames<PerplexityOptions> = {
  ...jobOptionNames,
  window: true,
  stride: true,
};
export const templateOptionNames: OptionNames<ChatTemplateOptions> = {
  template: text,
  addGenerationPrompt: flag,
  variables: object,
  signal,
};

type Messages = Extract<Prompt, { readonly messages: unknown }>;
export const promptNames: OptionNames<Messages> = {
  messages: list,
  template: text,
  tools: list,
  variables: object,
};

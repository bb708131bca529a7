// The names of the options of language models.

import {
  flag,
  isObject,
  type Kind,
  list,
  object,
  oneOf,
  signal,
  text,
  textOrTexts,
} from '../../base/kinds.ts';
import { namesOf, type OptionNames } from '../../base/options.ts';
import { jobOptionNames } from '../../runtime/option-names.ts';
import type { Journal } from './journal-types.ts';
import {
  type ChatTemplateOptions,
  type GenerateOptions,
  generateDefaults,
  type LogitsOptions,
  type PerplexityOptions,
  type Prompt,
  type RestoreOptions,
  type SendOptions,
  type SessionOptions,
  type Tool,
  type ToolOptions,
  trimPolicies,
} from './types.ts';

/** Also of `generateAll`, which says why it does not take `n`. */
export const generateOptionNames: OptionNames<GenerateOptions> = {
  ...jobOptionNames,
  ...namesOf(generateDefaults),
  logitBias: true,
  ignoreEos: flag,
  seed: true,
  stop: { ...textOrTexts, each: text },
  stopIds: list,
  format: object,
  resumeIds: list,
  logprobs: true,
};

export const tools: Kind = {
  ...list,
  each: {
    words: 'an object like { type: "function", function: { name, parameters } }',
    is: (tool) => isObject((tool as Partial<Tool> | null)?.function),
  },
};
const toolChoice: Kind = {
  words: "'auto', 'none', 'required' or { name } of a tool",
  is: (value) =>
    value === undefined ||
    ['auto', 'none', 'required'].includes(value as string) ||
    text.is((value as { readonly name?: unknown } | null)?.name),
};
export const toolOptionNames: OptionNames<ToolOptions> = { tools, toolChoice };

export const journal: Kind = {
  words: 'a journal, as openJournal makes one',
  is: (value) => {
    const { read, append } = (value ?? {}) as Partial<Journal>;
    return typeof read === 'function' && typeof append === 'function';
  },
};

/** A session says why it does not take `n`. */
export const sendOptionNames: OptionNames<SendOptions & GenerateOptions> = {
  ...generateOptionNames,
  ...toolOptionNames,
};

/** With those that are for `send`, which a session refuses by saying so. */
export const restoreOptionNames: OptionNames<RestoreOptions & GenerateOptions> = {
  ...sendOptionNames,
  template: true,
  variables: true,
  trim: oneOf(trimPolicies),
};
export const sessionOptionNames: OptionNames<SessionOptions & GenerateOptions> = {
  ...restoreOptionNames,
  system: true,
  messages: true,
  journal,
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
  ...toolOptionNames,
  variables: object,
};

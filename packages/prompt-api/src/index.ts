// The public names of the package.
export { type LanguageModelFactory, promptApi } from './factory.ts';
export type { PromptSession } from './session.ts';
export type {
  AppendOptions,
  CloneOptions,
  CreateMonitor,
  CreateOptions,
  PromptInput,
  PromptMessage,
  PromptOptions,
} from './types.ts';

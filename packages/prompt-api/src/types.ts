// The dictionaries of the Prompt API, as far as a model that reads and writes text has them.

export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly { readonly type: 'text'; readonly value: string }[];
  readonly prefix?: boolean;
}

/** A text is a message of the user. */
export type PromptInput = string | readonly PromptMessage[];

interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

export interface PromptOptions extends Abortable {
  /** A JSON Schema or a regular expression that the answer keeps to. */
  readonly responseConstraint?: object | RegExp | undefined;
  /** Nothing of a constraint is written into the prompt here, so both values are the same. */
  readonly omitResponseConstraintInput?: boolean | undefined;
}

export type AppendOptions = Abortable;
export type CloneOptions = Abortable;

/** The model is open already, so `downloadprogress` comes once, with `loaded` 1. */
export type CreateMonitor = EventTarget;

interface Expected {
  readonly type: string;
  readonly languages?: readonly string[] | undefined;
}

export interface CreateOptions extends Abortable {
  readonly initialPrompts?: readonly PromptMessage[] | undefined;
  readonly monitor?: ((monitor: CreateMonitor) => void) | undefined;
  readonly expectedInputs?: readonly Expected[] | undefined;
  readonly expectedOutputs?: readonly Expected[] | undefined;
  readonly tools?: readonly unknown[] | undefined;
  readonly topK?: number | undefined;
  readonly temperature?: number | undefined;
}

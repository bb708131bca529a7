// The state of the chat page. Views show it, and the session changes it.

import type { GeneratedToken, Generation, Generator, GeneratorInfo, TrimPolicy } from 'ambry';
import type { FileSource } from '../../shared/files/file-source.ts';
import type { PageState } from '../../shared/jobs/jobs.ts';
import type { TabState } from '../../shared/tabs/tab-line.ts';
import { type AnswerForm, freeForm } from './answer-form.ts';
import { defaultSampling, type MemoryChoice, type Sampling, wholeModel } from './settings.ts';

/** The model in use and where it comes from. */
export interface LoadedModel extends FileSource {
  readonly model: Generator;
  readonly generator: GeneratorInfo;
}

/** Continue a text, or chat. */
export type Mode = 'text' | 'chat';

/** How answers of a chat are shown. A text is always shown as tokens. */
export type View = 'markdown' | 'tokens';

/** What is known of an answer beside its text. */
export interface AnswerFacts {
  /** The name of the model. */
  readonly model: string;
  readonly tokens: number;
  /** 0 if it is unknown. */
  readonly tokensPerSecond: number;
  /** From the message to the first token; null if there was none. */
  readonly firstTokenMs: number | null;
}

/** A piece of text by the user or the model. Only the model's text has tokens. */
export interface Turn {
  readonly from: 'user' | 'model';
  readonly text: string;
  /** What the model wrote before its answer, where it thinks. */
  readonly reasoning?: string;
  /** Empty for an answer of an earlier visit. */
  readonly tokens: readonly GeneratedToken[];
  /** Set when an answer has ended. */
  readonly facts?: AnswerFacts;
  /** The context had no room for it, so the model does not see it. */
  readonly isDropped?: boolean;
}

/** The result of the last run of the model. */
export interface Outcome {
  /** `left`: the user pressed Stop. */
  readonly stoppedBy: Generation['stoppedBy'];
  readonly tokens: number;
  readonly tokensPerSecond: number;
  readonly firstTokenMs: number | null;
  /** All tokens of the text so far, to continue from. Empty if the run was aborted. */
  readonly ids: readonly number[];
}

/** An answer to the last message of the user that has not ended. */
export interface Interrupted {
  /** The name of its model. */
  readonly model: string;
  /** The tokens so far. */
  readonly ids: readonly number[];
}

/** The tokens that each part takes of the context. */
export interface ContextUse {
  readonly system: number;
  /** The text or the messages so far. */
  readonly history: number;
  readonly draft: number;
}

/** A saved conversation in the list. */
export interface ConversationTitle {
  readonly id: string;
  readonly title: string;
  /** When it was last changed, in milliseconds. */
  readonly changedAt: number;
  /** What it takes in the browser. */
  readonly bytes: number;
}

export interface ChatState extends PageState, TabState {
  readonly loaded: LoadedModel | null;
  readonly mode: Mode;
  readonly view: View;
  readonly sampling: Sampling;
  readonly memory: MemoryChoice;
  /** The system prompt of the conversation; empty for none. */
  readonly system: string;
  /** What happens when the conversation outgrows the context. */
  readonly trim: TrimPolicy;
  readonly form: AnswerForm;
  /** What is wrong with the form. */
  readonly formProblem: string;
  readonly turns: readonly Turn[];
  /** The turns of a link. They are saved when the conversation goes on. */
  readonly linkedTurns: readonly Turn[] | null;
  /** Stops the running model; null if none runs. */
  readonly stop: (() => void) | null;
  /** Whether the running model answers the last message, and does not continue an answer. */
  readonly isAnswer: boolean;
  /** The answer that was being written when the page ended. It goes on once its model is open. */
  readonly interrupted: Interrupted | null;
  readonly outcome: Outcome | null;
  readonly used: ContextUse;
  /** The token whose alternatives are shown. */
  readonly selected: GeneratedToken | null;
  /** The saved conversations, the latest first. */
  readonly conversations: readonly ConversationTitle[];
  /** The conversation on the page; null if it is not saved. */
  readonly conversation: string | null;
  /** Why conversations are not saved. */
  readonly historyProblem: string;
}

const nothingUsed: ContextUse = { system: 0, history: 0, draft: 0 };

export const emptyState: ChatState = {
  loaded: null,
  mode: 'text',
  view: 'markdown',
  sampling: defaultSampling,
  memory: wholeModel,
  system: '',
  trim: 'error',
  form: freeForm,
  formProblem: '',
  turns: [],
  linkedTurns: null,
  stop: null,
  isAnswer: false,
  interrupted: null,
  outcome: null,
  used: nothingUsed,
  selected: null,
  conversations: [],
  conversation: null,
  historyProblem: '',
  otherTab: false,
  job: null,
  failure: null,
  notice: '',
};

/** What a page without any text has. */
export const blank = {
  turns: [],
  stop: null,
  isAnswer: false,
  interrupted: null,
  outcome: null,
  used: nothingUsed,
  selected: null,
} as const satisfies Partial<ChatState>;

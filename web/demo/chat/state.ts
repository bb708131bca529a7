// The state of the chat page. Views show it, and the session changes it.

import type { GeneratedToken, Generation, GeneratorInfo, Model } from 'ambry';
import type { FileSource } from '../shared/file-source.ts';
import type { PageState } from '../shared/jobs.ts';
import { defaultSampling, type MemoryChoice, type Sampling, wholeModel } from './settings.ts';

/** The model in use and where it comes from. */
export interface LoadedModel extends FileSource {
  readonly model: Model;
  readonly generator: GeneratorInfo;
}

/** Continue a text, or chat. */
export type Mode = 'text' | 'chat';

/** A piece of text by the user or the model. Only the model's text has tokens. */
export interface Turn {
  readonly from: 'user' | 'model';
  readonly text: string;
  readonly tokens: readonly GeneratedToken[];
}

/** The result of the last run of the model. */
export interface Outcome {
  /** `left`: the user pressed Stop. */
  readonly stop: Generation['stop'];
  readonly tokens: number;
  readonly tokensPerSecond: number;
  /** All tokens of the text so far, to continue from. Empty if the run was aborted. */
  readonly ids: readonly number[];
}

export interface ChatState extends PageState {
  readonly loaded: LoadedModel | null;
  readonly mode: Mode;
  readonly sampling: Sampling;
  readonly memory: MemoryChoice;
  readonly turns: readonly Turn[];
  /** Stops the running model; null if none runs. */
  readonly stop: (() => void) | null;
  readonly outcome: Outcome | null;
  /** The number of context tokens that the text and the typed text take. */
  readonly used: number;
  /** The token whose alternatives are shown. */
  readonly selected: GeneratedToken | null;
}

export const emptyState: ChatState = {
  loaded: null,
  mode: 'text',
  sampling: defaultSampling,
  memory: wholeModel,
  turns: [],
  stop: null,
  outcome: null,
  used: 0,
  selected: null,
  job: null,
  failure: null,
  notice: '',
};

// What the chat page knows. Views draw it, the session changes it.

import type { GeneratedToken, Generation, Generator, GeneratorInfo } from 'ambry';
import type { FileSource } from '../shared/file-source.ts';
import type { JobHost } from '../shared/jobs.ts';
import { defaultSampling, type MemoryChoice, type Sampling, wholeModel } from './settings.ts';

/** The model in use and how it came here. */
export interface LoadedModel extends FileSource {
  readonly model: Generator;
  readonly generator: GeneratorInfo;
}

/** A text that is gone on with, or a conversation. */
export type Mode = 'text' | 'chat';

/** Some text by one side. What the model wrote has its tokens; what somebody typed has none. */
export interface Part {
  readonly from: 'person' | 'model';
  readonly text: string;
  readonly tokens: readonly GeneratedToken[];
}

/** How the last run of the model went. */
export interface Outcome {
  /** `left`: somebody pressed Stop. */
  readonly stop: Generation['stop'];
  readonly tokens: number;
  readonly tokensPerSecond: number;
  /** All tokens of the text so far, to go on from; empty where the run did not come to its end. */
  readonly ids: readonly number[];
}

export interface ChatState extends JobHost {
  readonly loaded: LoadedModel | null;
  readonly mode: Mode;
  readonly sampling: Sampling;
  readonly memory: MemoryChoice;
  readonly parts: readonly Part[];
  /** While the model writes: what ends it. */
  readonly stop: (() => void) | null;
  readonly outcome: Outcome | null;
  /** Tokens of the context that text and draft take together. */
  readonly used: number;
  /** The token that is pointed at. */
  readonly looked: GeneratedToken | null;
}

export const emptyState: ChatState = {
  loaded: null,
  mode: 'text',
  sampling: defaultSampling,
  memory: wholeModel,
  parts: [],
  stop: null,
  outcome: null,
  used: 0,
  looked: null,
  job: null,
  failure: null,
  notice: '',
};

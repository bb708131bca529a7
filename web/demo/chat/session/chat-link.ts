// What the address of the chat page holds: the beginning of a text, the seed and the settings that wrote it, and the model. The
// messages of a chat are in it only if the user copies a link to the conversation (linked-conversation.ts).

import { generateDefaults } from 'ambry/tables';
import { modelUrl } from '../../shared/page-address/linked-model.ts';
import { urlInLink } from '../../shared/page-address/open-linked.ts';
import {
  choice,
  list,
  number,
  type Parameters,
  textAsItIs,
} from '../../shared/page-address/parameters.ts';
import { defaultSampling, type Sampling } from '../state/settings.ts';
import type { ChatState, Mode } from '../state/state.ts';

/** Longer texts are not put into the address. Servers refuse addresses of more than 8 KB. */
export const maxPromptLength = 2000;
const maxSeed = 4294967295;

export interface ChatLink extends Omit<Sampling, 'newSeed' | 'seed'> {
  /** The beginning of a text. */
  readonly prompt: string;
  readonly seed: number | null;
  readonly mode: Mode;
  readonly url: string;
}

const { temperature, topP, topK, minP, repetitionPenalty } = generateDefaults;

/** The limits are those of the page's fields. */
export const chatParameters: Parameters<ChatLink> = {
  prompt: textAsItIs('prompt', maxPromptLength),
  seed: number<number | null>('seed', null, { min: 0, max: maxSeed, whole: true }),
  mode: choice<Mode>('mode', ['text', 'chat'], 'text'),
  temperature: number('temperature', temperature as number, { min: 0, max: 5 }),
  topP: number('topP', topP as number, { min: 0, max: 1 }),
  topK: number('topK', topK as number, { min: 0, max: 1e9, whole: true }),
  minP: number('minP', minP as number, { min: 0, max: 1 }),
  repetitionPenalty: number('repetitionPenalty', repetitionPenalty as number, {
    min: 0.01,
    max: 10,
  }),
  maxTokens: number('maxTokens', defaultSampling.maxTokens, { min: 1, max: 1e6, whole: true }),
  stop: list('stop', { maxCount: 20, maxLength: 200 }),
  url: modelUrl,
};

/** The packed conversation in the # part of an address; null if it has none. */
export const packedIn = (hash: string): string | null =>
  /^#conversation=([\w-]*)$/.exec(hash)?.[1] ?? null;

/** The settings that the link names, and the others as the page begins with them. */
export function samplingOf({
  prompt: _,
  mode: _mode,
  url: _url,
  seed,
  ...rest
}: ChatLink): Sampling {
  return { ...rest, seed: seed ?? defaultSampling.seed, newSeed: defaultSampling.newSeed };
}

/** The link to what the page shows. */
export function linkOf({ mode, turns, sampling, loaded }: ChatState, linkedUrl: string): ChatLink {
  const { newSeed: _, seed, ...settings } = sampling;
  const [first] = turns;
  const begun = mode === 'text' && first?.from === 'user' ? first.text : '';
  const prompt = begun.length > maxPromptLength ? '' : begun;
  return {
    ...settings,
    prompt,
    seed: prompt === '' ? null : seed,
    mode,
    url: loaded === null ? linkedUrl : urlInLink(loaded.source),
  };
}

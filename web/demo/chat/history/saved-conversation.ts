// A conversation as the browser keeps it: what was said, with the settings and the names of the models.

import type { TrimPolicy } from 'ambry';
import { trimPolicies } from 'ambry/tables';
import { type AnswerForm, forms, freeForm } from '../state/answer-form.ts';
import { defaultSampling, type Sampling } from '../state/settings.ts';
import type { AnswerFacts, ChatState, ConversationTitle, Turn } from '../state/state.ts';

/** The probabilities of tokens are not kept: they take a hundred times the space of the text. */
type SavedTurn = Omit<Turn, 'tokens'>;

export interface SavedConversation extends ConversationTitle {
  readonly version: 1;
  /** Grows with every save, so that two tabs cannot overwrite each other. */
  readonly revision: number;
  /** The user gave the title. */
  readonly isNamed: boolean;
  /** The name of the model that was open last. */
  readonly model: string;
  readonly system: string;
  readonly trim: TrimPolicy;
  readonly sampling: Sampling;
  readonly form: AnswerForm;
  readonly turns: readonly SavedTurn[];
  /** The tokens so far of the last answer, if it was being written. */
  readonly unfinished?: readonly number[];
}

const maxTitleLength = 60;

/** The beginning of the first message, cut at a word. */
export function titleOf(turns: readonly Turn[]): string {
  const text = (turns.find(({ from }) => from === 'user')?.text ?? '').replace(/\s+/g, ' ').trim();
  if (text.length <= maxTitleLength) {
    return text || 'Conversation';
  }
  const cut = text.slice(0, maxTitleLength);
  const atWord = cut.lastIndexOf(' ');
  return `${cut.slice(0, atWord > maxTitleLength / 2 ? atWord : maxTitleLength)}…`;
}

type Contents = Pick<
  SavedConversation,
  'model' | 'system' | 'trim' | 'sampling' | 'form' | 'turns' | 'unfinished'
>;

/** About the bytes that the contents take in the browser. */
export const sizeOf = (contents: Contents): number =>
  new TextEncoder().encode(JSON.stringify(contents)).length;

/** What of the page's state is saved, beside the identity of the conversation. */
export function contentsOf(state: ChatState): Contents {
  const { loaded, system, trim, sampling, form, turns } = state;
  return {
    model: loaded?.name ?? '',
    system,
    trim,
    sampling,
    form,
    turns: turns.map(({ tokens: _, ...turn }) => turn),
    ...unfinishedOf(state),
  };
}

function unfinishedOf({ stop, isAnswer, interrupted, turns }: ChatState) {
  if (interrupted !== null) {
    return { unfinished: interrupted.ids };
  }
  if (stop === null || !isAnswer) {
    return {};
  }
  const last = turns.at(-1);
  return { unfinished: last?.from === 'model' ? last.tokens.map(({ id }) => id) : [] };
}

const isText = (value: unknown): value is string => typeof value === 'string';

function readTurn(value: Partial<SavedTurn> | null): Turn | null {
  const isTurn = (value?.from === 'user' || value?.from === 'model') && isText(value.text);
  return isTurn ? { ...(value as SavedTurn), tokens: [], ...readFacts(value.facts) } : null;
}

function readFacts(facts: AnswerFacts | undefined): Pick<Turn, 'facts'> {
  const isWhole = isText(facts?.model) && Number.isFinite(facts.tokens);
  return isWhole ? { facts } : {};
}

/** The part of the page's state that was saved. Null if the record is damaged. */
export function stateOf(
  saved: Partial<SavedConversation>,
): Pick<ChatState, 'system' | 'trim' | 'sampling' | 'form' | 'turns' | 'interrupted'> | null {
  const { version, system, trim, sampling, form, turns, unfinished, model } = saved;
  if (version !== 1 || !Array.isArray(turns)) {
    return null;
  }
  const read = turns.map(readTurn);
  if (read.includes(null)) {
    return null;
  }
  return {
    system: isText(system) ? system : '',
    trim: trim !== undefined && trimPolicies.includes(trim) ? trim : 'error',
    sampling: { ...defaultSampling, ...sampling },
    form: form !== undefined && form.kind in forms ? form : freeForm,
    turns: read as readonly Turn[],
    interrupted:
      isText(model) && Array.isArray(unfinished) && unfinished.every(Number.isSafeInteger)
        ? { model, ids: unfinished }
        : null,
  };
}

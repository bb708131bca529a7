// Counts the tokens that the parts of a conversation take of the context.

import type { ChatMessage, Generator } from 'ambry';
import type { ContextUse, Turn } from '../state/state.ts';
import { messagesOf } from './messages.ts';

export interface Parts {
  readonly system: string;
  readonly turns: readonly Turn[];
  /** The message that is being typed. */
  readonly draft: string;
}

/** What a text to be continued takes. */
export async function textUse(model: Generator, draft: string): Promise<ContextUse> {
  const { ids } = await model.tokenize(draft, { special: true });
  return { system: 0, history: 0, draft: ids.length };
}

/** What a chat takes, by the template of the model. Rejects as `applyChatTemplate` does. */
export async function chatUse(
  model: Generator,
  { system, turns, draft }: Parts,
  signal: AbortSignal,
): Promise<ContextUse> {
  const tokensOf = async (messages: readonly ChatMessage[], addGenerationPrompt: boolean) => {
    if (messages.length === 0) {
      return 0;
    }
    const text = await model.applyChatTemplate(messages, { signal, addGenerationPrompt });
    return (await model.tokenize(text, { special: false })).ids.length;
  };
  const asked: Turn = { from: 'user', text: draft, tokens: [] };
  const before = await tokensOf(messagesOf(system, turns), false);
  const all = draft === '' ? before : await tokensOf(messagesOf(system, [...turns, asked]), true);
  const ofSystem = (await model.tokenize(system.trim() === '' ? '' : system, { special: false }))
    .ids.length;
  const systemUse = Math.min(ofSystem, before);
  return { system: systemUse, history: before - systemUse, draft: all - before };
}

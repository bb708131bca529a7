// A conversation and what an answer adds to it.
import type { ChatMessage } from '../base/types.ts';

/** How long a conversation was after one of its answers. */
export interface SavedTurn {
  readonly messages: number;
  readonly tokens: number;
}

export interface ConversationState {
  readonly messages: readonly ChatMessage[];
  /** How many tokens there were after each answer. */
  readonly turns: readonly SavedTurn[];
}

/** The messages that were dropped for an answer: `count` of them after the first `first`. */
export interface DroppedRange {
  readonly first: number;
  readonly count: number;
}

/** All that the model wrote, and the tokens of prompt and answer. */
export interface Written {
  readonly text: string;
  readonly tokens: number;
}

export function withAnswer(
  { messages, turns }: ConversationState,
  said: ChatMessage,
  { first, count }: DroppedRange,
  { text, tokens }: Written,
): ConversationState {
  const kept = [...messages.slice(0, first), ...messages.slice(first + count)];
  const all = [...kept, said, { role: 'assistant', content: text }];
  const before = count > 0 ? [] : turns;
  return { messages: all, turns: [...before, { messages: all.length, tokens }] };
}

/** Without the last `count` messages. */
export function rewound({ messages, turns }: ConversationState, count: number): ConversationState {
  const left = messages.length - count;
  return {
    messages: messages.slice(0, left),
    turns: turns.filter((turn) => turn.messages <= left),
  };
}

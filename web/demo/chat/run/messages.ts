// The messages that the model gets of the turns on the page.

import type { ChatMessage } from 'ambry';
import type { Turn } from '../state/state.ts';

/** A message that was never answered is left out when another one follows it, because many templates take no two
 *  messages of the same role in a row. */
const isSeen = ({ from, isDropped }: Turn, i: number, turns: readonly Turn[]): boolean =>
  !isDropped && !(from === 'user' && turns[i + 1]?.from === 'user');

const messageOf = ({ from, text }: Turn): ChatMessage => ({
  role: from === 'user' ? 'user' : 'assistant',
  content: text,
});

export function messagesOf(system: string, turns: readonly Turn[]): readonly ChatMessage[] {
  const first = system.trim() === '' ? [] : [{ role: 'system', content: system }];
  return [...first, ...turns.filter(isSeen).map(messageOf)];
}

/** Marks the turns whose messages the context had no room for: the oldest that the model saw. */
export function withDropped(turns: readonly Turn[], count: number): readonly Turn[] {
  let left = count;
  return turns.map((turn, i) => {
    if (left === 0 || !isSeen(turn, i, turns)) {
      return turn;
    }
    left -= 1;
    return { ...turn, isDropped: true };
  });
}

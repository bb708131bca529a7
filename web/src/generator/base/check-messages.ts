// The messages of a conversation, checked.
import { AmbryError } from '../../base/errors.ts';
import type { ChatMessage } from './types.ts';

/** Throws `BadValue` at `messages[i]`, or at `path` for a single one. */
export function checkMessages(messages: readonly ChatMessage[], path = ''): readonly ChatMessage[] {
  if (!Array.isArray(messages)) {
    throw badMessage('messages', 'Messages are a list.');
  }
  return messages.map((message: Partial<ChatMessage> | null, i) => {
    if (typeof message?.role === 'string' && message.content !== undefined) {
      return { ...message } as ChatMessage;
    }
    throw badMessage(
      path || `messages[${i}]`,
      'A message is a text, or an object of a role and its content.',
    );
  });
}

function badMessage(path: string, message: string): AmbryError {
  return new AmbryError('BadValue', message, { path });
}

// A conversation in the # part of a link. Browsers do not send that part to servers. Anyone can write a link, so what comes with one
// is bounded and checked, and it is only shown: nothing is sent to the model before the user writes. Works without a page.

import { AmbryError } from 'ambry';
import { packText, unpackText } from '../../shared/base/pack-text.ts';
import { withoutControls } from '../../shared/page-address/parameters.ts';
import type { ChatState, Turn } from '../state/state.ts';

/** The name of the parameter. */
const name = 'conversation';
/** Longer addresses are refused by servers and by programs that pass them on. */
export const maxLinkLength = 8192;
/** Packed texts can become a thousand times as long. */
const maxBytes = 256 * 1024;
const maxMessages = 1000;

type Role = 'system' | 'user' | 'assistant';
interface Message {
  readonly role: Role;
  readonly content: string;
}
type LinkedConversation = Pick<ChatState, 'system' | 'turns'>;

/** The link with the messages; null if it is too long. */
export async function withConversation(
  link: string,
  { system, turns }: LinkedConversation,
): Promise<string | null> {
  const messages: Message[] = turns.map(({ from, text }) => ({
    role: from === 'user' ? 'user' : 'assistant',
    content: text,
  }));
  if (system !== '') {
    messages.unshift({ role: 'system', content: system });
  }
  const text = JSON.stringify({ version: 1, messages });
  if (messages.length > maxMessages || new TextEncoder().encode(text).length > maxBytes) {
    return null;
  }
  const url = `${link}#${name}=${await packText(text)}`;
  return url.length > maxLinkLength ? null : url;
}

function isMessage(value: unknown, at: number): value is Message {
  const { role, content } = Object(value) as Partial<Record<keyof Message, unknown>>;
  const isRole = role === 'user' || role === 'assistant' || (role === 'system' && at === 0);
  return isRole && typeof content === 'string';
}

const damaged = (): AmbryError =>
  new AmbryError(
    'BadValue',
    'The conversation in this link is damaged, or longer than 256 KB. Ask for another link, and copy all of it.',
    { path: name },
  );

function messagesIn(text: string): readonly Message[] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw damaged();
  }
  const { version, messages } = Object(read) as Partial<Record<string, unknown>>;
  if (version !== 1 || !Array.isArray(messages) || !messages.every(isMessage)) {
    throw damaged();
  }
  if (messages.length > maxMessages) {
    throw tooLong();
  }
  return messages;
}

const tooLong = (): AmbryError =>
  new AmbryError(
    'LimitExceeded',
    `The conversation in this link is too long: links hold 8 KB and ${maxMessages} messages.`,
    { path: name },
  );

/** The conversation that a link has packed. Rejects if it is damaged or too long. */
export async function conversationOf(packed: string): Promise<LinkedConversation> {
  if (packed.length > maxLinkLength) {
    throw tooLong();
  }
  const text = await unpackText(packed, maxBytes);
  if (text === null) {
    throw damaged();
  }
  const messages = messagesIn(text).map(({ role, content }) => ({
    role,
    content: withoutControls(content),
  }));
  const turns = messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }): Turn => {
      return { from: role === 'user' ? 'user' : 'model', text: content, tokens: [] };
    });
  if (turns.length === 0) {
    throw damaged();
  }
  return { system: messages[0]?.role === 'system' ? messages[0].content : '', turns };
}

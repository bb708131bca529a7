// Messages of LangChain as messages for a chat template.
import {
  AIMessage,
  type BaseMessage,
  ChatMessage as MessageWithRole,
  ToolMessage,
} from '@langchain/core/messages';
import { AmbryError, type ChatMessage } from 'ambry';

const roles: Readonly<Record<string, string>> = {
  human: 'user',
  system: 'system',
  ai: 'assistant',
  tool: 'tool',
};

/** Throws an `AmbryError` `Unsupported` at `messages[i]` for what is not text. */
export function messagesOf(messages: readonly BaseMessage[]): readonly ChatMessage[] {
  return messages.map((message, i) => ({
    role: roleOf(message, i),
    content: textOf(message, i),
    ...moreOf(message),
  }));
}

function roleOf(message: BaseMessage, i: number): string {
  if (MessageWithRole.isInstance(message)) {
    return message.role;
  }
  const role = roles[message.getType()];
  if (role !== undefined) {
    return role;
  }
  throw unsupported(i, `A message of type ${message.getType()} has no role in a chat template.`);
}

function textOf({ content }: BaseMessage, i: number): string {
  if (typeof content === 'string') {
    return content;
  }
  // Calls are in `tool_calls`, too. Thoughts of earlier answers are not read again.
  const parts = content.filter(
    ({ type }) => !['tool_use', 'tool_call', 'reasoning'].includes(type),
  );
  return parts
    .map((part) => {
      if (part.type === 'text' && typeof part['text'] === 'string') {
        return part['text'];
      }
      throw unsupported(
        i,
        `The model reads text only, and the message has a part of type ${part.type}.`,
      );
    })
    .join('');
}

function moreOf(message: BaseMessage): object {
  if (ToolMessage.isInstance(message)) {
    const { tool_call_id, name } = message;
    return { tool_call_id, ...(name !== undefined && { name }) };
  }
  if (!AIMessage.isInstance(message) || !message.tool_calls?.length) {
    return {};
  }
  const calls = message.tool_calls.map(({ id, name, args }) => ({
    ...(id !== undefined && { id }),
    type: 'function',
    function: { name, arguments: args },
  }));
  return { tool_calls: calls };
}

function unsupported(i: number, message: string): AmbryError {
  return new AmbryError('Unsupported', message, { path: `messages[${i}]` });
}

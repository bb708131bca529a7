// The items of a request to /v1/responses as the messages of a conversation.
import type { ChatMessage } from 'ambry';
import { ApiError } from '../base/api-error.ts';
import { parsedArguments } from '../chat/chat-task.ts';
import type { InputItem, ResponseRequest } from './response-request.ts';
import type { StoredResponses } from './stored-responses.ts';

/** The items that the conversation has so far, with those that the request only refers to. Throws an `ApiError`. */
export function allItems(
  { input, previous_response_id: previous }: ResponseRequest,
  stored: StoredResponses,
): readonly InputItem[] {
  const before = previous ? storedItems(previous, stored) : [];
  const given: readonly InputItem[] =
    typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
  const items = given.map((item, i) => {
    const isReference = !('role' in item) && (!item.type || item.type === 'item_reference');
    return isReference ? referred(item.id ?? '', i, stored) : item;
  });
  return [...before, ...items];
}

function storedItems(id: string, stored: StoredResponses): readonly InputItem[] {
  const items = stored.get(id) as readonly InputItem[] | undefined;
  if (items) {
    return items;
  }
  throw notKept('previous_response_id', id);
}

function referred(id: string, i: number, stored: StoredResponses): InputItem {
  const item = stored.get(id) as InputItem | undefined;
  if (item) {
    return item;
  }
  throw notKept(`input[${i}].id`, id);
}

function notKept(param: string, id: string): ApiError {
  const message = `${JSON.stringify(id)} is not kept any more. Send the items themselves.`;
  return new ApiError(400, message, { param, code: 'not_found' });
}

/** Thinking, text and calls of an answer are one message of the assistant, in which templates expect them. */
export function messagesOf(
  items: readonly InputItem[],
  instructions: string | null | undefined,
): readonly ChatMessage[] {
  const messages: Record<string, unknown>[] = [];
  if (instructions) {
    messages.push({ role: 'system', content: instructions });
  }
  let open: Record<string, unknown> | undefined;
  const answer = (): Record<string, unknown> => {
    if (!open) {
      open = { role: 'assistant', content: '' };
      messages.push(open);
    }
    return open;
  };
  items.forEach((item, i) => {
    if (item.type === 'reasoning') {
      answer()['reasoning_content'] = thoughtOf(item);
    } else if (item.type === 'function_call') {
      const own = answer();
      own['tool_calls'] = [...((own['tool_calls'] as object[]) ?? []), callOf(item, i)];
    } else if ('role' in item && item.role === 'assistant') {
      const own = answer();
      own['content'] = `${String(own['content'])}${textOf(item.content)}`;
    } else {
      open = undefined;
      messages.push(otherMessage(item));
    }
  });
  return messages as unknown as readonly ChatMessage[];
}

function otherMessage(item: InputItem): Record<string, unknown> {
  if (item.type === 'function_call_output') {
    return { role: 'tool', content: textOf(item.output), tool_call_id: item.call_id };
  }
  const { role, content } = item as Extract<InputItem, { readonly role: string }>;
  return { role: role === 'developer' ? 'system' : role, content: textOf(content) };
}

type Call = Extract<InputItem, { readonly type: 'function_call' }>;

function callOf({ call_id: id, name, arguments: text }: Call, i: number): object {
  const args = parsedArguments(text || '{}', `input[${i}].arguments`);
  return { id, type: 'function', function: { name, arguments: args } };
}

type Reasoning = Extract<InputItem, { readonly type: 'reasoning' }>;

function thoughtOf({ content, summary }: Reasoning): string {
  const parts = content && content.length > 0 ? content : (summary ?? []);
  return parts.map(({ text }) => text).join('\n');
}

type Content = Extract<InputItem, { readonly role: string }>['content'];

function textOf(content: Content): string {
  if (typeof content === 'string') {
    return content;
  }
  return content.map((part) => ('text' in part ? part.text : part.refusal)).join('');
}

// The events of a streamed answer of /v1/responses.
import type { GeneratedToken } from 'ambry';
import type { AnswerEnd, AnswerEvent } from '../answers/answers.ts';
import { Usage } from '../answers/collect.ts';
import { idOf } from '../base/ids.ts';
import type { NamedEvent } from '../base/named-event.ts';
import {
  callItem,
  messageItem,
  type OutputItem,
  type ResponseHead,
  reasoningItem,
  responseDocument,
  statusOf,
  textPart,
} from './response-document.ts';
import type { ResponseRequest } from './response-request.ts';

type Fields = NamedEvent & Readonly<Record<string, unknown>>;

/** `onEnd` gets the items of the answer. */
export async function* responseEvents(
  events: AsyncIterable<AnswerEvent>,
  head: ResponseHead,
  request: ResponseRequest,
  onEnd: (output: readonly OutputItem[]) => void,
): AsyncGenerator<NamedEvent, void> {
  let number = 0;
  const numbered = (event: Fields) => ({ ...event, sequence_number: number++ });
  const begun = responseDocument(head, request, 'in_progress', []);
  yield numbered({ type: 'response.created', response: begun });
  yield numbered({ type: 'response.in_progress', response: begun });
  const parts = new OutputParts();
  const usage = new Usage(1);
  let end: AnswerEnd | undefined;
  for await (const event of events) {
    if (event.kind === 'token') {
      for (const made of parts.add(event.token)) {
        yield numbered(made);
      }
      usage.count(event.token);
    } else {
      usage.add(event);
      end = event;
    }
  }
  for (const made of parts.end(end)) {
    yield numbered(made);
  }
  onEnd(parts.output);
  const status = statusOf(end);
  const response = responseDocument(head, request, status, parts.output, usage);
  yield numbered({ type: `response.${status}`, response });
}

/** An item that is being written. */
interface OpenItem {
  readonly id: string;
  readonly kind: 'thinking' | 'text';
  text: string;
}

/** Makes the events of the items, one item after the other. */
class OutputParts {
  readonly output: OutputItem[] = [];
  #open: OpenItem | undefined;

  *add({ reasoning, text }: GeneratedToken): Generator<Fields> {
    if (reasoning) {
      yield* this.#write('thinking', reasoning);
    }
    if (text !== '') {
      yield* this.#write('text', text);
    }
  }

  *end(end: AnswerEnd | undefined): Generator<Fields> {
    const calls = end?.calls ?? [];
    // An answer without anything is an empty message.
    if (!this.#open && this.output.length === 0 && calls.length === 0) {
      yield* this.#begin('text');
    }
    yield* this.#close(statusOf(end));
    for (const call of calls) {
      yield* this.#call(callItem(call));
    }
  }

  *#write(kind: OpenItem['kind'], text: string): Generator<Fields> {
    if (this.#open?.kind !== kind) {
      yield* this.#close();
      yield* this.#begin(kind);
    }
    const open = this.#open as OpenItem;
    open.text += text;
    const type = kind === 'text' ? 'response.output_text.delta' : 'response.reasoning_text.delta';
    const logprobs = kind === 'text' ? { logprobs: [] } : {};
    yield { type, ...this.#place(open), delta: text, ...logprobs };
  }

  *#begin(kind: OpenItem['kind']): Generator<Fields> {
    const isText = kind === 'text';
    const open: OpenItem = { id: idOf(isText ? 'msg' : 'rs'), kind, text: '' };
    this.#open = open;
    const item = isText
      ? messageItem(open.id, '', 'in_progress')
      : reasoningItem(open.id, '', 'in_progress');
    yield { type: 'response.output_item.added', output_index: this.output.length, item };
    const part = isText ? textPart('') : { type: 'reasoning_text', text: '' };
    yield { type: 'response.content_part.added', ...this.#place(open), part };
  }

  *#close(status?: string): Generator<Fields> {
    const open = this.#open;
    if (!open) {
      return;
    }
    this.#open = undefined;
    const { id, text, kind } = open;
    const place = this.#place(open);
    const isText = kind === 'text';
    const type = isText ? 'response.output_text.done' : 'response.reasoning_text.done';
    yield { type, ...place, text, ...(isText && { logprobs: [] }) };
    const part = isText ? textPart(text) : { type: 'reasoning_text', text };
    yield { type: 'response.content_part.done', ...place, part };
    const item = isText ? messageItem(id, text, status) : reasoningItem(id, text, status);
    yield { type: 'response.output_item.done', output_index: this.output.length, item };
    this.output.push(item);
  }

  *#call(item: OutputItem): Generator<Fields> {
    const output_index = this.output.length;
    const place = { item_id: item.id, output_index };
    const begun = { ...item, status: 'in_progress', arguments: '' };
    const args = String(item['arguments']);
    yield { type: 'response.output_item.added', output_index, item: begun };
    yield { type: 'response.function_call_arguments.delta', ...place, delta: args };
    yield {
      type: 'response.function_call_arguments.done',
      ...place,
      name: item['name'],
      arguments: args,
    };
    yield { type: 'response.output_item.done', output_index, item };
    this.output.push(item);
  }

  #place({ id }: OpenItem) {
    return { item_id: id, output_index: this.output.length, content_index: 0 };
  }
}

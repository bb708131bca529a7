// The items of a whole answer of /v1/responses, and what is kept of it.
import { type CollectedAnswer, Usage } from '../answers/collect.ts';
import { idOf } from '../base/ids.ts';
import {
  callItem,
  messageItem,
  type OutputItem,
  type ResponseHead,
  reasoningItem,
  responseDocument,
  statusOf,
} from './response-document.ts';
import type { InputItem, ResponseRequest } from './response-request.ts';
import type { StoredResponses } from './stored-responses.ts';

export const responseHead = (model: string): ResponseHead => ({
  id: idOf('resp'),
  created_at: Math.floor(Date.now() / 1000),
  model,
});

export function wholeResponse(
  whole: CollectedAnswer,
  output: readonly OutputItem[],
  head: ResponseHead,
  request: ResponseRequest,
): object {
  const usage = new Usage(1);
  usage.addWhole(whole);
  return responseDocument(head, request, statusOf(whole), output, usage);
}

/** The items of an answer. */
export function outputOf(whole: CollectedAnswer): readonly OutputItem[] {
  const { calls, generation } = whole;
  const { text, reasoning } = generation;
  const hasMessage = text !== '' || calls.length === 0;
  return [
    ...(reasoning === '' ? [] : [reasoningItem(idOf('rs'), reasoning)]),
    ...(hasMessage ? [messageItem(idOf('msg'), text, statusOf(whole))] : []),
    ...calls.map(callItem),
  ];
}

/** Clients may name the answer, or an item of it, in their next request. */
export function keepResponse(
  stored: StoredResponses,
  { id }: ResponseHead,
  items: readonly InputItem[],
  output: readonly OutputItem[],
): void {
  stored.set(id, [...items, ...output]);
  for (const item of output) {
    stored.set(item.id, item);
  }
}

// The events of a streamed answer of /v1/messages.

import type { GeneratedToken } from 'ambry';
import type { AnswerEnd, AnswerEvent, NamedEvent } from 'ambry-openai/shared';
import {
  endingOf,
  type MessageHead,
  messageDocument,
  toolUse,
  usageOf,
} from './message-document.ts';
import type { MessageRequest } from './message-request.ts';

/** The number of tokens of the prompt comes with the end: it is known when the answer has begun. */
export async function* messageEvents(
  events: AsyncIterable<AnswerEvent>,
  head: MessageHead,
  request: MessageRequest,
): AsyncGenerator<NamedEvent, void> {
  const ending = { stop_reason: null, stop_sequence: null };
  const message = messageDocument(head, [], ending, usageOf(0, 0));
  yield* as({ type: 'message_start', message });
  const blocks = new Blocks();
  for await (const event of events) {
    if (event.kind === 'token') {
      yield* blocks.add(event.token);
    } else {
      yield* blocks.end(event.calls);
      const { promptIds, ids } = event.generation;
      const usage = usageOf(promptIds.length, ids.length);
      yield* as({ type: 'message_delta', delta: endingOf(event, request), usage });
    }
  }
  yield { type: 'message_stop' };
}

function* as(event: NamedEvent & Readonly<Record<string, unknown>>): Generator<NamedEvent> {
  yield event;
}

type Kind = 'thinking' | 'text';

/** Makes the events of the blocks, one block after the other. */
class Blocks {
  #index = 0;
  #open: Kind | undefined;

  *add({ reasoning, text }: GeneratedToken): Generator<NamedEvent> {
    if (reasoning) {
      yield* this.#begin('thinking');
      yield* this.#delta({ type: 'thinking_delta', thinking: reasoning });
    }
    if (text !== '') {
      yield* this.#begin('text');
      yield* this.#delta({ type: 'text_delta', text });
    }
  }

  *end(calls: AnswerEnd['calls']): Generator<NamedEvent> {
    yield* this.#close();
    for (const call of calls) {
      const { input, ...block } = toolUse(call);
      yield* this.#start({ ...block, input: {} });
      yield* this.#delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) });
      yield* this.#stop();
    }
  }

  *#begin(kind: Kind): Generator<NamedEvent> {
    if (this.#open === kind) {
      return;
    }
    yield* this.#close();
    this.#open = kind;
    yield* this.#start(
      kind === 'text'
        ? { type: 'text', text: '' }
        : { type: 'thinking', thinking: '', signature: '' },
    );
  }

  *#close(): Generator<NamedEvent> {
    if (this.#open === 'thinking') {
      // Nobody checks it here, but clients wait for one.
      yield* this.#delta({ type: 'signature_delta', signature: '' });
    }
    if (this.#open) {
      this.#open = undefined;
      yield* this.#stop();
    }
  }

  #start(content_block: object): Generator<NamedEvent> {
    return as({ type: 'content_block_start', index: this.#index, content_block });
  }

  #delta(delta: object): Generator<NamedEvent> {
    return as({ type: 'content_block_delta', index: this.#index, delta });
  }

  #stop(): Generator<NamedEvent> {
    return as({ type: 'content_block_stop', index: this.#index++ });
  }
}

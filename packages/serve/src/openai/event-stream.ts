// Server-sent events as OpenAI and Anthropic write them: JSON, and `[DONE]` at the end where events have no names.
import type { NamedEvent } from 'ambry-openai/shared';
import { openaiError } from 'ambry-openai/shared';
import { type ApiContext, streamed } from '../service/requests.ts';
import type { Service } from '../service/service.ts';

export function eventStream(
  c: ApiContext,
  documents: AsyncGenerator<object, void>,
  { failure }: Service,
): Promise<Response> {
  return streamed(c, 'text/event-stream; charset=utf-8', asEvents(documents), (error) =>
    event(openaiError(failure(error))),
  );
}

/** Events with names, as newer interfaces have them. Nothing says that the stream ends. */
export function namedEventStream(
  c: ApiContext,
  events: AsyncGenerator<NamedEvent, void>,
  onError: (error: unknown) => NamedEvent,
): Promise<Response> {
  return streamed(c, 'text/event-stream; charset=utf-8', asNamed(events), (error) =>
    named(onError(error)),
  );
}

async function* asNamed(events: AsyncGenerator<NamedEvent, void>): AsyncGenerator<string, void> {
  for await (const event of events) {
    yield named(event);
  }
}

function named(event: NamedEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

async function* asEvents(documents: AsyncGenerator<object, void>): AsyncGenerator<string, void> {
  for await (const document of documents) {
    yield event(document);
  }
  yield 'data: [DONE]\n\n';
}

function event(document: object): string {
  return `data: ${JSON.stringify(document)}\n\n`;
}

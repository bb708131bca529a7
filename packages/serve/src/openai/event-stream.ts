// Server-sent events as OpenAI writes them: JSON, and `[DONE]` at the end.
import { openaiError } from '../service/api-error.ts';
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

async function* asEvents(documents: AsyncGenerator<object, void>): AsyncGenerator<string, void> {
  for await (const document of documents) {
    yield event(document);
  }
  yield 'data: [DONE]\n\n';
}

function event(document: object): string {
  return `data: ${JSON.stringify(document)}\n\n`;
}

// An answer as the stream of parts that the AI SDK reads.
import type {
  LanguageModelV4ResponseMetadata,
  LanguageModelV4StreamPart,
  SharedV4Warning,
} from '@ai-sdk/provider';
import type { AnswerEnd, AnswerEvent } from 'ambry-answers';
import { endingOf, toolCallOf } from './parts.ts';

type Part = LanguageModelV4StreamPart;

/** Rejects if the answer fails before its first token. A later error is a part of the stream. */
export async function streamOf(
  events: AsyncGenerator<AnswerEvent, void>,
  warnings: SharedV4Warning[],
  response: LanguageModelV4ResponseMetadata,
): Promise<ReadableStream<Part>> {
  const first = await events.next();
  const parts = partsOf(events, first, [
    { type: 'stream-start', warnings },
    { type: 'response-metadata', ...response },
  ]);
  return new ReadableStream({
    pull: async (controller: ReadableStreamDefaultController<Part>) => {
      const { done, value } = await parts.next();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    cancel: async () => {
      await parts.return();
    },
  });
}

async function* partsOf(
  events: AsyncGenerator<AnswerEvent, void>,
  first: IteratorResult<AnswerEvent, void>,
  head: readonly Part[],
): AsyncGenerator<Part, void> {
  const id = crypto.randomUUID();
  let hasText = false;
  try {
    yield* head;
    for (let step = first; !step.done; step = await events.next()) {
      const event = step.value;
      if (event.text !== '') {
        if (!hasText) {
          yield { type: 'text-start', id };
        }
        hasText = true;
        yield { type: 'text-delta', id, delta: event.text };
      }
      if (event.kind === 'end') {
        if (hasText) {
          yield { type: 'text-end', id };
        }
        yield* endParts(event);
      }
    }
  } catch (error) {
    yield { type: 'error', error };
  } finally {
    await events.return();
  }
}

function* endParts(end: AnswerEnd): Generator<Part> {
  for (const call of end.calls) {
    const whole = toolCallOf(call);
    const id = whole.toolCallId;
    yield { type: 'tool-input-start', id, toolName: whole.toolName };
    yield { type: 'tool-input-delta', id, delta: whole.input };
    yield { type: 'tool-input-end', id };
    yield whole;
  }
  yield { type: 'finish', ...endingOf(end) };
}

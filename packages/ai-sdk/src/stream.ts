// An answer as the stream of parts that the AI SDK reads.
import type {
  LanguageModelV4ResponseMetadata,
  LanguageModelV4StreamPart,
  SharedV4Warning,
} from '@ai-sdk/provider';
import type { GeneratedToken, Generation, GenerationRun } from 'ambry';
import { endingOf, toolCallOf } from './parts.ts';

type Part = LanguageModelV4StreamPart;

/** Rejects if the answer fails before its first token. A later error is a part of the stream. */
export async function streamOf(
  run: GenerationRun,
  warnings: SharedV4Warning[],
  response: LanguageModelV4ResponseMetadata,
): Promise<ReadableStream<Part>> {
  const tokens = run[Symbol.asyncIterator]();
  const first = await tokens.next();
  const parts = partsOf(tokens, first, run, [
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
  tokens: AsyncIterator<GeneratedToken>,
  first: IteratorResult<GeneratedToken>,
  { result }: GenerationRun,
  head: readonly Part[],
): AsyncGenerator<Part, void> {
  const written = new WrittenParts();
  try {
    yield* head;
    for (let step = first; !step.done; step = await tokens.next()) {
      const { reasoning = '', text } = step.value;
      yield* written.add('reasoning', reasoning);
      yield* written.add('text', text);
    }
    yield* written.close();
    yield* endParts(await result);
  } catch (error) {
    yield { type: 'error', error };
  } finally {
    await tokens.return?.();
    // The model is free only when the worker has stopped.
    await result.catch(() => {});
  }
}

type Kind = 'reasoning' | 'text';

/** The reasoning and the text, one after the other. */
class WrittenParts {
  #open: { readonly kind: Kind; readonly id: string } | undefined;

  *add(kind: Kind, delta: string): Generator<Part> {
    if (delta === '') {
      return;
    }
    if (this.#open?.kind !== kind) {
      yield* this.close();
    }
    if (!this.#open) {
      this.#open = { kind, id: crypto.randomUUID() };
      yield { type: `${kind}-start`, id: this.#open.id };
    }
    yield { type: `${kind}-delta`, id: this.#open.id, delta };
  }

  *close(): Generator<Part> {
    if (this.#open) {
      const { kind, id } = this.#open;
      this.#open = undefined;
      yield { type: `${kind}-end`, id };
    }
  }
}

function* endParts(generation: Generation): Generator<Part> {
  for (const call of generation.toolCalls) {
    const whole = toolCallOf(call);
    const id = whole.toolCallId;
    yield { type: 'tool-input-start', id, toolName: whole.toolName };
    yield { type: 'tool-input-delta', id, delta: whole.input };
    yield { type: 'tool-input-end', id };
    yield whole;
  }
  yield { type: 'finish', ...endingOf(generation) };
}

// A streamed answer, as OpenAI's client gives it.
import { asOpenAI, isAbort } from './openai-error.ts';

/** The chunks of an answer. Leaving the loop or `controller.abort()` ends it. */
export interface OpenAIStream<Chunk> extends AsyncIterable<Chunk> {
  readonly controller: AbortController;
}

/**
 * `begin` makes the chunks with the signal of the stream. Resolves with the first chunk, so that a request that cannot be
 * answered rejects. A loop over an answer that was aborted ends, as that of OpenAI's client does.
 */
export async function streamOf<Chunk>(
  signal: AbortSignal | undefined,
  begin: (signal: AbortSignal) => Promise<AsyncGenerator<unknown, void>>,
): Promise<OpenAIStream<Chunk>> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) {
    abort();
  }
  try {
    const chunks = await begin(controller.signal);
    const first = await chunks.next();
    const loop = looped<Chunk>(chunks, first, () => signal?.removeEventListener('abort', abort));
    return { controller, [Symbol.asyncIterator]: () => loop };
  } catch (error) {
    signal?.removeEventListener('abort', abort);
    throw asOpenAI(error);
  }
}

async function* looped<Chunk>(
  chunks: AsyncGenerator<unknown, void>,
  first: IteratorResult<unknown, void>,
  onEnd: () => void,
): AsyncGenerator<Chunk, void> {
  try {
    for (let step = first; !step.done; step = await chunks.next()) {
      yield step.value as Chunk;
    }
  } catch (error) {
    if (!isAbort(error)) {
      throw asOpenAI(error);
    }
  } finally {
    await chunks.return();
    onEnd();
  }
}

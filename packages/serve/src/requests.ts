// Reading requests and writing answers, for all routes.
import { ReadableStream } from 'node:stream/web';
import type { Context } from 'hono';
import type { z } from 'zod';
import { ApiError } from './api-error.ts';
import { firstProblem } from './problems.ts';

/** What the routes find in the context of a request. */
export interface Variables {
  /** Aborts when the client goes, when the time is over, and when the server stops. */
  signal: AbortSignal;
}
export type ApiContext = Context<{ Variables: Variables }>;

/** The body as JSON of this form, whatever its content type. Throws an `ApiError`. */
export async function readBody<T>(c: ApiContext, schema: z.ZodType<T>): Promise<T> {
  let value: unknown;
  try {
    value = JSON.parse(await c.req.text());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ApiError(400, 'The body is not JSON.', { code: 'invalid_json' });
  }
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const { path, message } = firstProblem(error);
  throw new ApiError(400, message, { param: path, code: 'invalid_value' });
}

/** Throws an `ApiError` for a list that is too long. */
export function checkCount(param: string, count: number, most: number): void {
  if (count <= most) return;
  const message = `${count} items were given, and the server takes ${most}.`;
  throw new ApiError(400, message, { param, code: 'too_many_items' });
}

/**
 * An answer that is sent as it is made. The first chunk is awaited before, so that errors until then have their status;
 * later ones become the chunk that `onError` gives.
 */
export async function streamed(
  c: ApiContext,
  contentType: string,
  chunks: AsyncGenerator<string, void>,
  onError: (error: unknown) => string,
): Promise<Response> {
  const first = await chunks.next();
  const bytes = ReadableStream.from(rest(first, chunks, onError));
  return c.body(bytes as globalThis.ReadableStream<Uint8Array<ArrayBuffer>>, 200, {
    'content-type': contentType,
    'cache-control': 'no-store',
  });
}

async function* rest(
  first: IteratorResult<string, void>,
  chunks: AsyncGenerator<string, void>,
  onError: (error: unknown) => string,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    for (let step = first; !step.done; step = await chunks.next()) {
      yield encoder.encode(step.value);
    }
  } catch (error) {
    yield encoder.encode(onError(error));
  } finally {
    // The client may have gone in between.
    await chunks.return();
  }
}

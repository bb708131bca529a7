// Reading requests and writing answers, for all routes.

import { ReadableStream } from 'node:stream/web';
import { ApiError, firstProblem, unknownFieldMessage, unknownFields } from 'ambry-openai/shared';
import type { Context } from 'hono';
import type { z } from 'zod';

/** What the routes find in the context of a request. */
export interface Variables {
  /** Aborts when the client goes, when the time is over, and when the server stops. */
  signal: AbortSignal;
  /** The most bytes of its body. */
  maxBody: number;
  /** Whether fields that are unknown are refused. */
  strict: boolean;
  /** Gets the fields of the body that are unknown. */
  noteUnknown: (fields: readonly string[]) => void;
}
export type ApiContext = Context<{ Variables: Variables }>;

/** Bytes over the limit that are read to answer a client properly. */
const tolerated = 64 * 1024 * 1024;

/**
 * The body as JSON of this form, whatever its content type. Fields that the form does not know are left out, and named in a
 * header of the answer. Throws an `ApiError`, under `strict` also for such a field.
 */
export async function readBody<T>(c: ApiContext, schema: z.ZodType<T>): Promise<T> {
  const given = parseJson(await bodyText(c));
  const { data, error } = schema.safeParse(given);
  if (error) {
    const { path, message } = firstProblem(error);
    throw new ApiError(400, message, { param: path, code: 'invalid_value' });
  }
  const unknown = unknownFields(given, data);
  const [first] = unknown;
  if (first === undefined) {
    return data;
  }
  if (c.var.strict) {
    const message = unknownFieldMessage(schema, first);
    throw new ApiError(400, message, { param: first, code: 'invalid_value' });
  }
  c.header(unknownFieldsHeader, headerText(unknown));
  c.var.noteUnknown(unknown);
  return data;
}

export const unknownFieldsHeader = 'ambry-unknown-fields';
/** Proxies refuse longer headers. */
const mostHeaderLength = 1000;

const escaped = (character: string) =>
  /\p{Surrogate}/u.test(character) ? '?' : encodeURIComponent(character);

/** Names in any script, as a header may have them. */
function headerText(names: readonly string[]): string {
  const text = names.map((name) => name.replace(/[^\x21-\x2b\x2d-\x7e]/gu, escaped)).join(', ');
  return text.slice(0, mostHeaderLength);
}

/** A body that is too large is read all the same, within reason: many clients read no answer before they have sent all,
 *  and the connection goes on. */
async function bodyText(c: ApiContext): Promise<string> {
  const { maxBody } = c.var;
  const given = Number(c.req.header('content-length') ?? 0);
  if (given > maxBody + tolerated) {
    throw tooLarge(maxBody);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of c.req.raw.body ?? []) {
      size += chunk.length;
      if (size <= maxBody) {
        chunks.push(chunk);
      } else if (size > maxBody + tolerated) {
        break;
      }
    }
  } catch {
    throw new ApiError(400, 'The body ended early.', { code: 'incomplete_body' });
  }
  if (size > maxBody) {
    throw tooLarge(maxBody);
  }
  return Buffer.concat(chunks).toString();
}

function tooLarge(most: number): ApiError {
  const message = `The request has more than ${most} bytes.`;
  return new ApiError(413, message, { code: 'body_too_large' });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(400, 'The body is not JSON.', { code: 'invalid_json' });
  }
}

/**
 * An answer that is sent as it is made. The first chunk is awaited before, so that errors until then have their status;
 * later ones become the chunk that `errorChunk` gives.
 */
export async function streamed(
  c: ApiContext,
  contentType: string,
  chunks: AsyncGenerator<string, void>,
  errorChunk: (error: unknown) => string,
): Promise<Response> {
  const { signal } = c.var;
  // A client that stops reading does not ask for the next chunk, and must not hold the model.
  const leave = () => void chunks.return().catch(() => {});
  signal.addEventListener('abort', leave, { once: true });
  const first = await chunks.next();
  const bytes = ReadableStream.from(encoded(first, chunks, signal, errorChunk));
  return c.body(bytes as globalThis.ReadableStream<Uint8Array<ArrayBuffer>>, 200, {
    'content-type': contentType,
    'cache-control': 'no-store',
  });
}

async function* encoded(
  first: IteratorResult<string, void>,
  chunks: AsyncGenerator<string, void>,
  signal: AbortSignal,
  errorChunk: (error: unknown) => string,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    for (let step = first; !step.done; step = await chunks.next()) {
      yield encoder.encode(step.value);
    }
    signal.throwIfAborted();
  } catch (error) {
    yield encoder.encode(errorChunk(error));
  } finally {
    // The client may have gone in between.
    await chunks.return();
  }
}

// Requests of a program, checked as those of clients of the server.
import { AmbryError } from 'ambry';
import type { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { firstProblem } from '../base/problems.ts';
import { unknownFieldMessage, unknownFields } from '../base/unknown-fields.ts';
import { asOpenAI } from './openai-error.ts';

/** The options of a request that mean something without HTTP. */
export interface RequestOptions {
  readonly signal?: AbortSignal | null | undefined;
}

/** Options of OpenAI's client for its connection. Without one they change nothing. */
const connectionOptions = ['headers', 'timeout', 'maxRetries', 'idempotencyKey', 'stream'];

/** Throws an `ApiError` at a field that is wrong or unknown. */
export function parsedRequest<T>(schema: z.ZodType<T>, given: unknown): T {
  const { data, error } = schema.safeParse(given);
  if (error) {
    const { path, message } = firstProblem(error);
    throw bad(path, message, path === '' ? 'body' : path);
  }
  const [unknown] = unknownFields(given, data);
  if (unknown === undefined) {
    return data;
  }
  throw bad(unknown, unknownFieldMessage(schema, unknown), unknown);
}

/** Throws an `ApiError` at an option that is wrong or unknown. */
export function signalOf(options: RequestOptions | undefined): AbortSignal | undefined {
  if (options === undefined || options === null) {
    return undefined;
  }
  if (typeof options !== 'object') {
    throw bad('options', 'Must be an object of options.', 'options');
  }
  for (const [name, value] of Object.entries(options)) {
    const isKnown = name === 'signal' || connectionOptions.includes(name);
    if (!isKnown && value !== undefined) {
      const path = `options.${name}`;
      throw bad(path, `There is no option ${name}. A request takes signal.`, path);
    }
  }
  const { signal } = options;
  if (signal === undefined || signal === null) {
    return undefined;
  }
  if (typeof signal.addEventListener !== 'function') {
    throw bad('options.signal', 'Must be an AbortSignal.', 'options.signal');
  }
  return signal;
}

function bad(param: string, message: string, path: string): ApiError {
  const error = new ApiError(400, message, { param, code: 'invalid_value' });
  error.cause = new AmbryError('BadValue', message, { path });
  return error;
}

/** Runs the work of a request. Its errors become OpenAI's. */
export async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asOpenAI(error);
  }
}

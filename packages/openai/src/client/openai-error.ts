// Errors as OpenAI's client has them.
import { AmbryError } from 'ambry';
import { ApiError, apiError, openaiError } from '../base/api-error.ts';

/** The fields are those of an `APIError` of OpenAI's client. */
export class OpenAIError extends Error {
  override readonly name: string;
  /** As the status of HTTP would be; undefined for a request that was aborted. */
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly code: string | null;
  /** The field of the request. */
  readonly param: string | null;
  /** The body that a server would send. */
  readonly error: object | undefined;

  constructor(known: ApiError | undefined, cause: unknown) {
    const body = known && openaiError(known).error;
    super(body?.message ?? 'Request was aborted.', { cause });
    this.name = known ? 'OpenAIError' : 'APIUserAbortError';
    this.status = known?.status;
    this.type = body?.type;
    this.code = body?.code ?? null;
    this.param = body?.param ?? null;
    this.error = body;
  }
}

/** What the caller of `create` gets. What is no known error stays as it is. */
export function asOpenAI(error: unknown): unknown {
  if (error instanceof OpenAIError) {
    return error;
  }
  if (isAbort(error)) {
    return new OpenAIError(undefined, error);
  }
  if (error instanceof AmbryError && error.code === 'Crashed') {
    // A server opens its model again; here the program does.
    return new OpenAIError(new ApiError(500, error.message, { code: 'model_crashed' }), error);
  }
  if (error instanceof AmbryError || error instanceof ApiError) {
    const cause = error instanceof ApiError ? error.cause : error;
    return new OpenAIError(apiError(error), cause);
  }
  return error;
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

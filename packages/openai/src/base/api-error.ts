// What a client is told when a request fails, and how the errors of Ambry become that.
import { AmbryError } from 'ambry';

export type ErrorStatus = 400 | 401 | 403 | 404 | 413 | 429 | 500 | 503;

interface ErrorFacts {
  /** The field of the request. */
  readonly param?: string | undefined;
  /** A word that programs can compare, such as `model_not_found`. */
  readonly code?: string;
  /** Seconds after which the client may try again. */
  readonly retryAfter?: number;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: ErrorStatus;
  readonly facts: ErrorFacts;

  constructor(status: ErrorStatus, message: string, facts: ErrorFacts = {}) {
    super(message);
    this.status = status;
    this.facts = facts;
  }
}

/** OpenAI's names of kinds of errors. */
export const errorTypes: Readonly<Record<ErrorStatus, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'invalid_request_error',
  429: 'rate_limit_error',
  500: 'server_error',
  503: 'service_unavailable_error',
};

/** The body of an error for clients of OpenAI. */
export function openaiError({ status, message, facts }: ApiError) {
  const { param, code } = facts;
  return { error: { message, type: errorTypes[status], param: param ?? null, code: code ?? null } };
}

/** Ambry says that a call was aborted; the signal knows why. */
export function reasonOf(error: unknown, signal: AbortSignal): unknown {
  const isAbort = error instanceof Error && error.name === 'AbortError';
  return isAbort && signal.reason instanceof ApiError ? signal.reason : error;
}

/** Any error as one for the client. What is no known error says nothing of itself, because it may name files. */
export function apiError(error: unknown): ApiError {
  if (error instanceof ApiError) {
    return error;
  }
  if (error instanceof AmbryError) {
    return fromAmbry(error);
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    const message = 'The request took longer than the server allows.';
    return new ApiError(503, message, { code: 'timeout', retryAfter: 10 });
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return new ApiError(503, 'The request was aborted.', { code: 'aborted' });
  }
  return new ApiError(500, 'The server failed. Its log has the reason.', { code: 'internal' });
}

function fromAmbry({ code, message, path }: AmbryError): ApiError {
  const param = path && fieldOf(path);
  if (code === 'LimitExceeded') {
    const isContext = path?.startsWith('prompt');
    return new ApiError(400, message, {
      param,
      code: isContext ? 'context_length_exceeded' : 'limit_exceeded',
    });
  }
  if (code === 'Cancelled') {
    return new ApiError(503, message, { code: 'unavailable', retryAfter: 5 });
  }
  if (code === 'Crashed') {
    const text = 'The model failed and is opened again. Try again later.';
    return new ApiError(500, text, { code: 'model_crashed', retryAfter: 5 });
  }
  return new ApiError(400, message, { param, code: wordOf(code) });
}

/** `options.topK` is the field `top_k` of a request, and `variables.tools[0]`, of a chat template, `tools[0]`. */
function fieldOf(path: string): string {
  const field = path.replace(/^(?:options|variables|prompt)\./, '');
  return field === 'dim' ? 'dimensions' : wordOf(field);
}

function wordOf(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
}

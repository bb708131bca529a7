// The one error class of the package, and its plain form on the wire between worker and page. This is
// the only file that turns one into the other; everywhere else an error just travels.
import type { ErrorCode, Problem } from './problem.ts';

/** What is known about where an error lies. */
export interface ErrorPlace {
  readonly byteOffset?: number | undefined;
  readonly path?: string | undefined;
  readonly wholeBytes?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Everything that can go wrong with a file, a download or a call, except aborts (those are
 * `DOMException`s named `AbortError`).
 *
 * @example
 * try {
 *   await open('/model.weights');
 * } catch (error) {
 *   if (error instanceof AmbryError) console.log(error.code, error.byteOffset, error.path);
 * }
 */
export class AmbryError extends Error {
  override readonly name = 'AmbryError';
  /** What kind of error: `Truncated`, `BadMagic`, `Http`, … */
  readonly code: ErrorCode;
  /** Where the faulty field starts in the file, when the error has a place in a file. */
  readonly byteOffset?: number;
  /** The faulty field, like `tensors[3].shape[1]`. */
  readonly path?: string;
  /** The size of the whole file, when the file is cut off and states it. */
  readonly wholeBytes?: number;

  constructor(code: ErrorCode, message: string, place: ErrorPlace = {}) {
    super(message, place.cause === undefined ? undefined : { cause: place.cause });
    this.code = code;
    if (place.byteOffset !== undefined) {
      this.byteOffset = place.byteOffset;
    }
    if (place.path !== undefined && place.path !== '') {
      this.path = place.path;
    }
    if (place.wholeBytes !== undefined) {
      this.wholeBytes = place.wholeBytes;
    }
  }

  /** The error as plain data: `{code, message, byteOffset?, path?, wholeBytes?}`. */
  toJSON(): Problem {
    return {
      code: this.code,
      message: this.message,
      ...(this.byteOffset !== undefined && { byteOffset: this.byteOffset }),
      ...(this.path !== undefined && { path: this.path }),
      ...(this.wholeBytes !== undefined && { wholeBytes: this.wholeBytes }),
    };
  }
}

/** An error on its way from a worker. The stack is that of the worker. */
export interface WireError extends Problem {
  readonly stack?: string | undefined;
}

/** The plain data of an error, with its stack. */
export function toWire(error: AmbryError): WireError {
  return { ...error.toJSON(), stack: error.stack };
}

/** Rebuilds the error of a worker. No caller is on the stack on which its answer arrives, so it has none of its own, and
 *  that of the worker is the cause's. */
export function fromWire({ stack, ...problem }: WireError): AmbryError {
  const cause = new Error(problem.message);
  cause.stack = stack ?? '';
  const error = errorFrom({ ...problem, ...(stack !== undefined && { cause }) });
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

/** Rebuilds the error from the plain data of the core or of the worker. */
export function errorFrom(problem: {
  readonly code: string;
  readonly message: string;
  readonly byteOffset?: number;
  readonly path?: string;
  readonly wholeBytes?: number;
  readonly cause?: unknown;
}): AmbryError {
  return new AmbryError(problem.code as ErrorCode, problem.message, problem);
}

/** Whether the error says what is wrong with a file, and not that it could not be had or that a worker failed. */
export function isOfFile(error: unknown): error is AmbryError {
  if (!(error instanceof AmbryError) || error.path === 'source') {
    return false;
  }
  return !(['Http', 'Crashed', 'Cancelled'] as ErrorCode[]).includes(error.code);
}

/** What a call rejects with after an abort: the signal's own `AbortError` (or `TimeoutError`). */
export function abortError(signal?: AbortSignal): DOMException {
  const reason: unknown = signal?.reason;
  if (reason instanceof DOMException) {
    return reason;
  }
  return new DOMException('The operation was aborted.', 'AbortError');
}

/** Whether an abort caused the error. Node's own streams throw one that is no DOMException. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
}

/** One line about anything that was thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const { cause: from } = error;
  // A worker's error says the same as its cause, which only has the stack.
  const isSaid = !(from instanceof Error) || from.message === error.message;
  const cause = isSaid ? '' : ` (${reasonOf(from)})`;
  return `${error.message}${cause}`.replace(/\s+/g, ' ');
}

/** OpenSSL's messages have addresses and source files. Its `reason` is the part for users. */
function reasonOf(cause: Error & { readonly reason?: unknown }): string {
  return typeof cause.reason === 'string' ? cause.reason : cause.message;
}

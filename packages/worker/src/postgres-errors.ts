// What an error of PostgreSQL means for the worker.
import { AmbryError, messageOf, OutageError, shownUrl } from './failure.ts';

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // A Unix socket of a server that has not started.
  'ENOENT',
]);

/** SQLSTATEs. 57P0x: the server stops or starts. 08: the connection. 53: it lacks a resource. 40: a conflict of
 *  transactions. 25006: a standby that becomes the primary server. */
const passingStates = /^(57P0[123]|08...|53...|40001|40P01|25006)$/;

/** SQLSTATEs of values that do not fit: a bad value, a constraint, a limit. */
const valueStates = /^(22|23|54)...$/;

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '');

export const hasState = (error: unknown, ...states: readonly string[]): boolean =>
  states.includes(codeOf(error));

/** An error as `Sink` describes it. */
export function explained(cause: unknown, url: string): unknown {
  if (cause instanceof AmbryError || !(cause instanceof Error)) {
    return cause;
  }
  if (isPassing(cause)) {
    const message = `No connection to PostgreSQL at ${shownUrl(url)}: ${messageOf(cause)}. Is it running?`;
    return new OutageError(message, '--to', cause);
  }
  const code = codeOf(cause);
  if (!/^[0-9A-Z]{5}$/.test(code) || valueStates.test(code)) {
    return cause;
  }
  const message = `PostgreSQL at ${shownUrl(url)} refuses with SQLSTATE ${code}: ${cause.message}.`;
  return new AmbryError('BadValue', message, { path: '--to', cause });
}

function isPassing(error: Error): boolean {
  if (error instanceof AggregateError && error.errors.some(isPassing)) {
    return true;
  }
  const code = codeOf(error);
  if (networkCodes.has(code) || passingStates.test(code)) {
    return true;
  }
  // These errors of `pg` have no code.
  return /Connection terminated|connection timeout|timeout exceeded when trying/i.test(
    error.message,
  );
}

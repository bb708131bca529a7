// Usage errors, and which failures of a server pass by themselves.
import { AmbryError } from 'ambry';

/** The command line is wrong. */
export class UsageError extends AmbryError {
  constructor(message: string, option?: string) {
    super('BadValue', message, { path: option });
  }
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/** Whether a server cannot be reached at present. SQLSTATE 57P0x: it stops or starts. 08: the connection. 53: it lacks a
 *  resource. 40: a conflict of transactions. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isPassing)) return true;
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  if (networkCodes.has(code) || /^(57P0[123]|08...|53...|40001|40P01)$/.test(code)) return true;
  return /Connection terminated|connection timeout|timeout exceeded when trying/i.test(
    error.message,
  );
}

/** Removes the password from the URL of a server, for messages. */
export function shownUrl(url: string): string {
  return url.replace(/\/\/([^:@/]*):[^@/]*@/, '//$1:***@');
}

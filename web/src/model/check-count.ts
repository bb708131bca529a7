// Counts that callers give, such as workers and threads.
import { AmbryError } from '../base/errors.ts';

/** More than any machine can use. */
const most = 64;

/** Throws `BadValue` at `path` unless the count is an integer from 1 to 64. */
export function checkCount(count: number, what: 'workers' | 'threads', path: string): void {
  if (Number.isInteger(count) && count >= 1 && count <= most) {
    return;
  }
  const message = `The number of ${what} must be an integer from 1 to ${most}, not ${count}.`;
  throw new AmbryError('BadValue', message, { path });
}

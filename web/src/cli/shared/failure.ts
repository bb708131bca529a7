// Maps errors to exit codes and messages. Exit code 1 is an invalid file or a failed job, 2 is bad usage or unreadable
// input.
import { AmbryError, isAbort, messageOf } from '../../errors.ts';
import type { Problem } from '../../types.ts';

/** The command line is wrong. `option` names the faulty option. */
export class UsageError extends AmbryError {
  constructor(message: string, option?: string) {
    super('BadValue', message, { path: option });
  }
}

/** An input cannot be read: it is missing, it is a directory, or access is denied. */
export class UnreadableError extends AmbryError {
  constructor(message: string) {
    super('NotFound', message);
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof UnreadableError) return 2;
  if (!(error instanceof AmbryError)) return 1;
  const isInput = error.path === 'source' || error.path?.startsWith('hub.');
  return error.code === 'Http' || isInput ? 2 : 1;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof AmbryError) return error.toJSON();
  if (isAbort(error)) return { code: 'Cancelled', message: 'Stopped.' };
  return { code: 'Crashed', message: messageOf(error) };
}

/** `BadValue at byte 12, header.flags: …` */
export function describeProblem({ code, byteOffset, path, message }: Problem): string {
  const place = [byteOffset === undefined ? '' : `at byte ${byteOffset}`, path ?? '']
    .filter(Boolean)
    .join(', ');
  return `${code}${place === '' ? '' : ` ${place}`}: ${message}`;
}

// Maps errors to exit codes and messages. Exit code 1 is an invalid file or a failed job, 2 is bad usage or unreadable
// input.
import { AmbryError, isAbort, messageOf } from '../../base/errors.ts';
import type { Problem } from '../../entries/types.ts';

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
  if (error instanceof UsageError || error instanceof UnreadableError) {
    return 2;
  }
  if (!(error instanceof AmbryError)) {
    return 1;
  }
  const isInput = error.path === 'source' || error.path?.startsWith('hub.');
  return error.code === 'Http' || isInput ? 2 : 1;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof AmbryError) {
    return error.toJSON();
  }
  if (isAbort(error)) {
    return { code: 'Cancelled', message: 'Stopped.' };
  }
  return { code: 'Crashed', message: messageOf(error) };
}

/** `BadValue at byte 12, header.flags: …` */
export function describeProblem({ code, byteOffset, path, message }: Problem): string {
  const place = [byteOffset === undefined ? '' : `at byte ${byteOffset}`, path ?? '']
    .filter(Boolean)
    .join(', ');
  return `${code}${place === '' ? '' : ` ${place}`}: ${message}`;
}

/** A line for each warning. Warnings that differ only in their place share a line: a model may have hundreds of tensors. */
export function describeWarnings(warnings: readonly Problem[]): string[] {
  const counts = new Map<string, { readonly first: Problem; count: number }>();
  for (const warning of warnings) {
    const key = `${warning.code}: ${warning.message}`;
    const seen = counts.get(key);
    if (seen) {
      seen.count++;
    } else {
      counts.set(key, { first: warning, count: 1 });
    }
  }
  return [...counts.values()].map(({ first, count }) => {
    const path = count === 1 ? first.path : `${first.path ?? ''} and ${count - 1} more`.trim();
    return describeProblem({ ...first, ...(path !== undefined && { path }) });
  });
}
